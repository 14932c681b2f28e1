"""What is said of a message, from the evidence of its courier."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.courier_lines import INIT, PLAN, SENT_EVENTS, answered, called, ran, recorded, result, said, verdict
from tests.fakes import sent_run, stream_of
from tui.domain.courier import CourierPlan
from tui.domain.delivery import Cause, Outcome
from tui.domain.verdict import CourierEnd, CourierRun, judge

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "plan", "outcome", "cause"),
    [
        ("sent", PLAN, Outcome.SENT, None),
        ("held", replace(PLAN, text="held text"), Outcome.HELD_BY_PEER, Cause.HELD),
        ("held_by_mode", CourierPlan("peer-bypass", "to a bypass peer", "c0de"), Outcome.HELD_BY_PEER, Cause.HELD),
        ("refused", replace(PLAN, text="refused text"), Outcome.REFUSED_BY_PEER, Cause.REFUSED),
        ("not_found", replace(PLAN, name="peer-zz"), Outcome.DELIVERY_FAILED, Cause.NOT_LISTED),
        ("error_401", PLAN, Outcome.DELIVERY_FAILED, Cause.LOGIN),
        ("error_404_model", PLAN, Outcome.DELIVERY_FAILED, Cause.MODEL),
    ],
)
def test_what_the_real_program_printed_gets_its_outcome(
    name: str, plan: CourierPlan, outcome: Outcome, cause: Cause | None
) -> None:
    delivery = judge(plan, CourierRun(stream_of(recorded(name)), CourierEnd.ANSWERED, 0))
    assert (delivery.outcome, delivery.cause) == (outcome, cause)
    assert delivery.verified is (outcome in {Outcome.SENT, Outcome.HELD_BY_PEER, Outcome.REFUSED_BY_PEER})


def test_the_recorded_couriers_words_are_handed_on() -> None:
    delivery = judge(PLAN, CourierRun(stream_of(recorded("sent")), CourierEnd.ANSWERED, 0, seconds=1.5))
    assert delivery.courier_report == "SENT"
    assert delivery.cost_usd == pytest.approx(1.05e-05)
    assert delivery.seconds == 1.5
    assert delivery.message == "Handed to “peer-b”; neither held nor refused so far."
    assert delivery.hint == ""


def test_where_no_notice_could_come_sent_says_that_it_is_not_known() -> None:
    for end in (CourierEnd.ANSWERED, CourierEnd.CANCELLED):
        delivery = verdict(*SENT_EVENTS, result(), end=end, exit_code=None, notice_awaited=False)
        assert delivery.outcome is Outcome.SENT
        assert "not known whether it is held or refused" in delivery.message
        assert "deliver" not in delivery.message


# One change to the recorded delivery: the value at a path in the event of this index.
_CALL, _ANSWER, _RESULT = 5, 6, 8
_CHANGES: list[tuple[int, tuple[Any, ...]]] = [
    (_CALL, ("message", "content", 0, "input", "to")),
    (_CALL, ("message", "content", 0, "input", "message")),
    (_CALL, ("message", "content", 0, "name")),
    (_CALL, ("message", "content", 0, "type")),
    (_CALL, ("message", "content", 0, "id")),
    (_ANSWER, ("tool_use_result", "success")),
    (_ANSWER, ("message", "content", 0, "tool_use_id")),
    (_RESULT, ("is_error",)),
    (_RESULT, ("subtype",)),
    (_RESULT, ("result",)),
    (_RESULT, ("type",)),
]
_ANY_VALUE = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(max_size=3), max_size=2)


@given(st.sampled_from(_CHANGES), _ANY_VALUE)
def test_no_change_to_what_was_recorded_is_called_sent(change: tuple[int, tuple[Any, ...]], value: Any) -> None:
    at, (*path, last) = change
    events = [json.loads(each) for each in recorded("sent")]
    place = events[at]
    for key in path:
        place = place[key]
    assume(place[last] != value or type(place[last]) is not type(value))
    place[last] = value
    assert verdict(*events).outcome is not Outcome.SENT


@given(st.sets(st.integers(min_value=0, max_value=8), max_size=8))
def test_without_its_call_its_answer_or_its_result_nothing_is_called_sent(kept: set[int]) -> None:
    lines = recorded("sent")
    outcome = verdict(*(lines[at] for at in sorted(kept))).outcome
    assert (outcome is Outcome.SENT) is ({_CALL, _ANSWER, _RESULT} <= kept)


_WHOLE = b"\n".join(recorded("sent"))
_CALL_BEGINS = sum(len(each) + 1 for each in recorded("sent")[:_CALL])


@given(st.integers(min_value=_CALL_BEGINS + 1, max_value=len(_WHOLE) - 1))
def test_a_stream_that_is_cut_off_after_the_call_began_leaves_it_open(size: int) -> None:
    *lines, last = _WHOLE[:size].split(b"\n")
    stream = stream_of(lines)
    stream.feed(last, whole=False)
    assert judge(PLAN, CourierRun(stream, CourierEnd.ANSWERED, 0)).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("call", "cause", "word"),
    [
        (called(to="peer-c"), Cause.WRONG_TARGET, "peer-c"),
        (called(to="peer-b [4009d9]"), Cause.WRONG_TARGET, "peer-b [4009d9]"),
        (called(to=None), Cause.WRONG_TARGET, "instead of"),
        (called(to=["peer-b"]), Cause.WRONG_TARGET, "instead of"),
        (called(message="In short: please run the tests"), Cause.ALTERED, "changed the text"),
        (called(message="please run the tests "), Cause.ALTERED, "changed the text"),
        (called(message=None), Cause.ALTERED, "changed the text"),
    ],
)
def test_a_call_to_another_or_with_another_text_may_have_been_sent(call: Any, cause: Cause, word: str) -> None:
    delivery = verdict(INIT, call, answered(), result())
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, cause)
    assert word in delivery.message
    assert not delivery.verified


def test_a_held_notice_does_not_excuse_a_wrong_target() -> None:
    notice = {"type": "system", "subtype": "informational", "content": "Cross-session message held by x"}
    assert verdict(INIT, called(to="peer-c"), answered(), result(), notice).cause is Cause.WRONG_TARGET


def test_two_calls_that_did_not_fail_may_have_been_sent_twice() -> None:
    again = (called(call_id="t2"), answered(call_id="t2"))
    assert verdict(*SENT_EVENTS, *again, result()).cause is Cause.REPEATED
    assert verdict(INIT, called(), *again, result()).outcome is Outcome.UNKNOWN


def test_a_call_that_is_reported_as_failed_and_then_made_again_may_have_been_sent_twice() -> None:
    failed = (called(call_id="t0"), answered('{"success":false}', call_id="t0"))
    delivery = verdict(INIT, *failed, called(), answered(), result())
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, Cause.REPEATED)


def test_a_call_that_failed_sent_nothing_even_if_the_courier_says_sent() -> None:
    failed = answered("No agent named peer-b", is_error=True)
    delivery = verdict(INIT, called(), failed, result("SENT"))
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.SEND_FAILED)
    assert "No agent named peer-b" in delivery.message


@pytest.mark.parametrize(
    ("final", "exit_code", "cause"),
    [
        (result("SENT", is_error=True), 0, Cause.API),
        (result("SENT", is_error="true"), 0, Cause.API),
        (result("SENT", is_error=None), 0, Cause.API),
        (result("SENT", subtype="error_max_turns"), 0, Cause.API),
        (result("API Error: 529 Overloaded", is_error=True), 1, Cause.API),
        (result("SENT"), 1, Cause.STREAM_BROKEN),
        (result("SENT"), -9, Cause.STREAM_BROKEN),
        (result(""), 0, Cause.UNCONFIRMED),
        (result(None), 0, Cause.UNCONFIRMED),
        (result(5), 0, Cause.UNCONFIRMED),
        (result("NOT SENT"), 0, Cause.UNCONFIRMED),
        (result("SENT", permission_denials=[{"tool_name": "SendMessage"}]), 0, Cause.DENIED),
        (result("SENT", permission_denials={"tool_name": "SendMessage"}), 0, Cause.DENIED),
        (result("SENT", permission_denials=["?"]), 0, Cause.DENIED),
    ],
)
def test_anything_short_of_a_clean_result_leaves_a_call_in_doubt(final: Any, exit_code: int, cause: Cause) -> None:
    delivery = verdict(*SENT_EVENTS, final, exit_code=exit_code)
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, cause)
    assert "may have been sent" in delivery.message
    assert delivery.hint == "Look at the receiving session before you send it again."


@pytest.mark.parametrize("denials", [[], {}, None, [{"tool_name": "Bash"}]])
def test_no_denial_of_the_send_tool_is_no_doubt(denials: Any) -> None:
    assert verdict(*SENT_EVENTS, result(permission_denials=denials)).outcome is Outcome.SENT


@pytest.mark.parametrize(
    "denials", [[{"tool_name": "SendMessage", "tool_input": {}}], {"tool_name": "SendMessage"}, [7]]
)
@pytest.mark.parametrize("events", [(), (INIT,), (INIT, called(), answered("denied", is_error=True))])
def test_a_denied_send_tool_is_named(events: tuple[Any, ...], denials: Any) -> None:
    delivery = verdict(*events, result("SENT", permission_denials=denials, num_turns=0))
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.DENIED)


_HOSTILE = "\x1b]0;owned\x07\u009b31m\u202ea\nb\u200b[/tmp/x]"
_QUOTING: list[Callable[[str], Any]] = [
    lambda words: verdict(INIT, result(words)),
    lambda words: verdict(result(words, is_error=True)),
    lambda words: verdict(*SENT_EVENTS, result(words)),
    lambda words: verdict(INIT, called(to=words), answered(), result()),
    lambda words: verdict(INIT, called(), answered(words, is_error=True), result()),
    lambda words: verdict(INIT, said(words) | {"error": words}, end=CourierEnd.TIMED_OUT),
    lambda words: verdict(words.encode().replace(b"\n", b" "), exit_code=2, stderr=words),
    lambda words: verdict(INIT | {"tools": [], "claude_code_version": words}),
    lambda words: judge(PLAN, replace(ran(exit_code=1), stderr="unknown option '--x'", program_version=words)),
    lambda words: judge(replace(PLAN, name=words), sent_run(replace(PLAN, name=words))),
]


@pytest.mark.parametrize("quote", _QUOTING)
def test_a_sentence_quotes_hostile_words_on_one_line_and_shortened(quote: Callable[[str], Any]) -> None:
    assert quote(_HOSTILE).message.isprintable()
    assert len(quote("x" * 1_000_000).message) < 1500
