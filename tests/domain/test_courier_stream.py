"""Reading a courier's event stream."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.courier_lines import INIT, PLAN, answered, called, line, ran, recorded, result, said
from tests.fakes import stream_of
from tui.domain.courier_stream import CourierStream, Notice, Stage, Step
from tui.domain.delivery import Outcome
from tui.domain.verdict import CourierEnd, CourierRun, judge

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def retry(status: Any = 401, error: Any = "authentication_failed") -> dict[str, Any]:
    return {"type": "system", "subtype": "api_retry", "attempt": 1, "error_status": status, "error": error}


def stream(*events: Any) -> CourierStream:
    return ran(*events).stream


def test_the_stages_of_a_real_delivery_are_told_in_order() -> None:
    seen = CourierStream()
    stages = [seen.stage]
    for each in recorded("sent"):
        seen.feed(each)
        stages.append(seen.stage)
    assert list(dict.fromkeys(stages)) == [Stage.STARTING, Stage.LOOKING, Stage.SENDING, Stage.DECIDING]


def test_a_real_delivery_shows_the_call_its_success_and_its_cost() -> None:
    seen = stream_of(recorded("sent"))
    assert [(call.to, call.message, call.success) for call in seen.calls] == [(PLAN.name, PLAN.text, True)]
    assert seen.result is not None
    assert seen.result.text == "SENT"
    assert seen.result.cost_usd == pytest.approx(1.05e-05)
    assert seen.version == "2.1.328"


@pytest.mark.parametrize(
    ("name", "notice"), [("held", Notice.HELD), ("held_by_mode", Notice.HELD), ("refused", Notice.REFUSED)]
)
def test_a_peers_notice_ends_the_courier_at_once(name: str, notice: Notice) -> None:
    seen = CourierStream()
    steps = []
    for each in recorded(name):
        seen.feed(each)
        steps.append(seen.step)
    assert seen.notice is notice
    at = steps.index(Step.END)
    assert json.loads(recorded(name)[at])["subtype"] == "informational"
    assert steps[at - 1] is Step.GRACE


def test_other_informational_events_are_no_notice() -> None:
    for content in ("Cross-session message queued", "message held by x", 5, None, ""):
        assert stream({"type": "system", "subtype": "informational", "content": content}).notice is None


def test_one_refusal_of_the_account_may_be_an_expired_token_and_the_second_ends_the_courier() -> None:
    assert stream(INIT, retry()).step is Step.READ
    assert stream(INIT, retry(), retry()).step is Step.END
    assert stream(INIT, retry(401, None), retry(403, None)).step is Step.END
    assert stream(INIT, retry(), retry(529, "overloaded_error"), retry()).step is Step.READ


def test_the_real_program_is_not_waited_for_while_it_retries_a_refused_account() -> None:
    seen = CourierStream()
    read = 0
    for each in recorded("error_401"):
        seen.feed(each)
        read += 1
        if seen.step is Step.END:
            break
    assert [json.loads(each)["subtype"] for each in recorded("error_401")[:read]][-2:] == ["api_retry", "api_retry"]
    assert seen.result is None


def test_an_account_that_is_refused_after_the_call_does_not_end_the_wait_for_a_notice() -> None:
    assert stream(INIT, called(), answered(), retry(), retry()).step is Step.READ


def test_a_program_without_the_send_tool_is_ended_at_once() -> None:
    assert stream(INIT | {"tools": ["ListAgents"]}).step is Step.END
    assert stream(INIT | {"tools": []}).step is Step.END
    assert stream(INIT | {"tools": None}).step is Step.READ


def test_only_a_call_that_may_have_sent_something_is_worth_the_grace() -> None:
    assert stream(INIT, called(), answered(), result()).step is Step.GRACE
    assert stream(INIT, called(), result()).step is Step.GRACE
    assert stream(INIT, called(), answered('{"success":false}'), result("no")).step is Step.END
    assert stream(INIT, said("NOT_FOUND"), result("NOT_FOUND")).step is Step.END


@pytest.mark.parametrize(
    ("answer", "outcome", "success"),
    [
        ('{"success":true}', None, True),
        ('{"success":false}', None, False),
        ('{"success":true}', {"success": True}, True),
        ('{"success":true}', {"success": False}, None),
        ('{"success":false}', {"success": True}, None),
        ("in its inbox", {"success": True}, True),
        ("in its inbox", None, None),
        ('{"success":"true"}', None, None),
        ('{"success":1}', None, None),
        ('{"success":true}', {"success": 1}, None),
        ('["success"]', ["success"], None),
        ([{"type": "text", "text": '{"success":true}'}], None, True),
        (None, None, None),
        ("[" * 100_000, None, None),
    ],
)
def test_success_counts_where_all_that_report_it_agree(answer: Any, outcome: Any, success: bool | None) -> None:
    seen = stream(called(), answered(answer) | {"tool_use_result": outcome})
    assert seen.calls[0].success is success


def test_an_answer_that_is_an_error_is_no_success() -> None:
    assert stream(called(), answered(is_error=True)).calls[0].success is False


def test_an_answer_to_another_call_says_nothing_about_this_one() -> None:
    assert stream(called(call_id="t1"), answered(call_id="t2")).calls[0].success is None
    assert stream(called(call_id=""), answered(call_id="")).calls[0].success is None


def test_a_call_that_is_printed_twice_is_one_call() -> None:
    seen = stream(called(), called(), answered())
    assert len(seen.calls) == 1
    assert not seen.is_damaged


def test_a_call_that_is_printed_twice_with_two_texts_is_doubted() -> None:
    assert stream(called(), called(message="another"), answered()).is_damaged


def test_an_array_of_all_events_is_read_like_their_lines() -> None:
    events = [INIT, called(), answered(), result()]
    assert stream(events) == stream(*events)


@pytest.mark.parametrize(
    "noise",
    [
        b"[WARN] clock skew 3 s",
        b"Now using node v20",
        b"Update available",
        b"\xff\xfe banner \xf0",
        b"null",
        b"41",
        b'"x"',
    ],
)
def test_noise_around_the_events_does_no_damage(noise: bytes) -> None:
    seen = stream(noise, INIT, noise, called(), answered(), noise, result(), noise)
    assert not seen.is_damaged
    assert seen.calls[0].success is True
    assert seen.result is not None


@pytest.mark.parametrize("cut", [1, 2, 9, 60, -1])
def test_an_event_that_is_cut_off_is_damage(cut: int) -> None:
    seen = CourierStream()
    seen.feed(line(called())[:cut], whole=False)
    assert seen.is_damaged


@pytest.mark.parametrize("cut", [1, 2, 3, 65_536 - 200])
def test_an_array_that_is_cut_off_is_damage(cut: int) -> None:
    seen = CourierStream()
    seen.feed(line([INIT, called(message="x" * 70_000)])[:cut], whole=False)
    assert seen.is_damaged


def test_a_last_banner_without_a_line_end_is_no_damage() -> None:
    seen = stream(INIT, called(), answered(), result())
    seen.feed(b"Update available", whole=False)
    assert not seen.is_damaged


def test_a_whole_event_without_a_line_end_is_read() -> None:
    seen = CourierStream()
    seen.feed(line(result()), whole=False)
    assert seen.result is not None
    assert not seen.is_damaged


@pytest.mark.parametrize(
    "glued",
    [
        b"Now using node v20" + line(called()),
        line(called()) + line(answered()),
        line(called()).replace(b"tests", b"t\xffsts"),
        line(called()).replace(b"}", b"]"),
        b'{"type":"assistant","n":' + b"9" * 5000 + b"}",
        b'{"type":' + b"[" * 100_000,
    ],
)
def test_a_line_that_may_hold_an_event_and_cannot_be_read_is_damage(glued: bytes) -> None:
    assert stream(glued).is_damaged


def test_the_first_lines_of_noise_are_kept_for_the_report_and_no_more() -> None:
    seen = stream(*[b"x" * 10_000] * 1000)
    assert sum(map(len, seen.noise)) < 10_000


@given(st.lists(st.binary() | _JSON.map(line), max_size=8))
def test_no_bytes_make_the_reader_raise_or_say_sent(lines: list[bytes]) -> None:
    seen = stream_of(lines)
    assert isinstance(seen.stage, Stage)
    assert isinstance(seen.step, Step)
    for end in CourierEnd:
        assert judge(PLAN, CourierRun(seen, end, 0)).outcome is not Outcome.SENT


_KEYS = st.sampled_from([
    "type", "subtype", "message", "content", "id", "name", "input", "to", "text", "tools", "error", "error_status",
    "tool_use_id", "tool_use_result", "success", "is_error", "result", "permission_denials", "total_cost_usd",
    "claude_code_version", "api_error_status",
])  # fmt: skip
_WORDS = st.sampled_from([
    "system", "assistant", "user", "result", "init", "api_retry", "informational", "tool_use", "tool_result",
    "SendMessage", "success", "SENT", "t1",
])  # fmt: skip
_EVENT_LIKE = st.recursive(
    _WORDS | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=12,
)


@given(st.lists(_EVENT_LIKE, max_size=6))
@settings(max_examples=300)
def test_no_events_of_wrong_shapes_make_the_reader_raise_or_say_sent(events: list[Any]) -> None:
    seen = stream_of(map(line, events))
    assert judge(PLAN, CourierRun(seen, CourierEnd.ANSWERED, 0)).outcome is not Outcome.SENT
