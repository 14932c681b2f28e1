"""What is said of a message when no whole delivery is in sight: no call, no result, or no courier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.courier_lines import INIT, PLAN, SENT_EVENTS, called, ran, result, said, verdict
from tui.domain.delivery import Cause, Outcome
from tui.domain.verdict import CourierEnd, NotStarted, judge


def test_a_courier_that_claims_sent_without_a_call_sent_nothing() -> None:
    delivery = verdict(INIT, said("SENT"), result("SENT"))
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.NOT_CALLED)
    assert "never called SendMessage" in delivery.message


def test_a_result_alone_is_the_couriers_word_and_no_evidence() -> None:
    for text in ("SENT", "SENT (held for the recipient user's approval)", "", "Sure!", None, 5):
        delivery = verdict(result(text))
        assert delivery.outcome is Outcome.UNKNOWN, text
        assert delivery.cause is Cause.UNCONFIRMED


@pytest.mark.parametrize(
    "events",
    [
        [[{"type": "system", "subtype": "init"}, said("SENT"), {"type": "rate_limit_event"}, result("REFUSED: held")]],
        [{"type": "system", "subtype": "init"}, said("SENT"), {"type": "rate_limit_event"}, result("REFUSED: held")],
        [[INIT, said("SENT")]],
        [said("SENT")],
        [[]],
        [result("SENT"), result("SENT", is_error=True)],
        [[result("SENT"), result("API Error: 529 Overloaded", is_error=True)]],
        [[*SENT_EVENTS, result("SENT"), result("FAILED")]],
    ],
)
def test_the_last_result_decides_and_an_assistants_words_never_do(events: list[Any]) -> None:
    assert verdict(*events).outcome is not Outcome.SENT


@pytest.mark.parametrize(
    ("end", "cause"),
    [
        (CourierEnd.TIMED_OUT, Cause.TIMEOUT),
        (CourierEnd.CANCELLED, Cause.CANCELLED),
        (CourierEnd.OVERFLOWED, Cause.STREAM_BROKEN),
        (CourierEnd.ANSWERED, Cause.STREAM_BROKEN),
    ],
)
def test_a_call_without_a_result_may_have_been_sent(end: CourierEnd, cause: Cause) -> None:
    delivery = verdict(*SENT_EVENTS, end=end, exit_code=None)
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, cause)
    assert delivery.verified
    assert delivery.hint == "Look at the receiving session before you send it again."


@pytest.mark.parametrize("end", [CourierEnd.TIMED_OUT, CourierEnd.CANCELLED, CourierEnd.ANSWERED])
def test_a_transcript_that_ends_before_any_call_shows_that_nothing_was_sent(end: CourierEnd) -> None:
    assert verdict(INIT, called(tool="ListAgents"), end=end, exit_code=None).outcome is Outcome.DELIVERY_FAILED


def test_a_silent_courier_that_was_cancelled_or_just_ended_leaves_it_open() -> None:
    for end in (CourierEnd.CANCELLED, CourierEnd.OVERFLOWED, CourierEnd.ANSWERED):
        assert verdict(end=end).outcome is Outcome.UNKNOWN
    assert verdict(end=CourierEnd.ANSWERED, exit_code=1).outcome is Outcome.DELIVERY_FAILED


def test_output_of_which_a_part_is_lost_leaves_it_open() -> None:
    cut = b'[{"type":"system","subtype":"init"},{"type":"assi'
    delivery = verdict(cut)
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, Cause.STREAM_BROKEN)
    assert verdict(INIT, cut, result("NOT_FOUND")).outcome is Outcome.UNKNOWN
    assert verdict(*SENT_EVENTS, cut, result("SENT")).outcome is Outcome.UNKNOWN


def test_a_courier_that_never_started_sent_nothing() -> None:
    delivery = judge(PLAN, NotStarted(Cause.PROGRAM_NOT_FOUND, "There is no program `claude` on PATH."))
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.PROGRAM_NOT_FOUND)
    assert "on PATH" in delivery.message


def test_an_unknown_option_is_named_with_the_programs_version() -> None:
    run = ran(exit_code=1)
    delivery = judge(
        PLAN, replace(run, stderr="error: unknown option '--safe-mode'\n", program_version="1.0.3 (Claude Code)")
    )
    assert delivery.cause is Cause.FLAG_UNKNOWN
    assert delivery.message == "This claude (version 1.0.3 (Claude Code)) does not know the option --safe-mode."


def test_a_claude_without_the_send_tool_is_unsupported() -> None:
    delivery = verdict(INIT | {"tools": ["ListAgents"], "claude_code_version": "2.0.1"})
    assert delivery.outcome is Outcome.HARNESS_UNSUPPORTED
    assert "2.0.1" in delivery.message
