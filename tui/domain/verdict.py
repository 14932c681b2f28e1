"""From the evidence of one courier to what became of the message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tui.domain.api_errors import REFUSED_AT_ONCE, api_cause
from tui.domain.courier import NOT_FOUND_WORD, SEND_TOOL
from tui.domain.courier_stream import Notice
from tui.domain.courier_words import says_not_found, says_sent, unknown_flag
from tui.domain.delivery import Cause, Delivery, Outcome
from tui.domain.text import one_line

if TYPE_CHECKING:
    from tui.domain.courier import CourierPlan
    from tui.domain.courier_events import FinalResult, SendCall
    from tui.domain.courier_stream import CourierStream


class CourierEnd(StrEnum):
    """How a courier came to its end."""

    ANSWERED = "answered"
    """It gave its result and was ended, or ended itself."""
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    OVERFLOWED = "overflowed"
    """Its output was larger than any delivery's can be, and it was ended."""


@dataclass(frozen=True, slots=True)
class CourierRun:
    """One courier from its start to its end."""

    stream: CourierStream
    end: CourierEnd
    exit_code: int | None = None
    """None when it did not exit by itself."""
    stderr: str = ""
    """The end of what it wrote there, untrusted."""
    seconds: float = 0.0
    program_version: str = ""
    """What `claude --version` says; asked only when a flag is not known."""
    notice_awaited: bool = True
    """It lived long enough after its result for a held or refused notice to reach it."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """The courier's program could not be run, or was not to be run any more."""

    cause: Cause
    message: str


_QUOTED: Final = 400  # cells of an answer that a sentence quotes


def judge(plan: CourierPlan, run: CourierRun | NotStarted) -> Delivery:
    """Decide what became of the message; only what the stream shows to be sent as written is called sent."""
    if isinstance(run, NotStarted):
        return Delivery(Outcome.DELIVERY_FAILED, run.message, run.cause)
    finding = _judge(plan, run)
    result = run.stream.result
    return Delivery(
        finding.outcome,
        finding.message,
        finding.cause,
        verified=finding.verified,
        courier_report=result.text if result else "",
        cost_usd=result.cost_usd if result else None,
        seconds=run.seconds,
    )


@dataclass(frozen=True, slots=True)
class _Finding:
    outcome: Outcome
    cause: Cause | None
    message: str
    verified: bool = False


def _unknown(cause: Cause, message: str, *, verified: bool = False) -> _Finding:
    return _Finding(Outcome.UNKNOWN, cause, f"{message} It may have been sent.", verified)


def _failed(cause: Cause, message: str) -> _Finding:
    return _Finding(Outcome.DELIVERY_FAILED, cause, message)


def _judge(plan: CourierPlan, run: CourierRun) -> _Finding:
    stream = run.stream
    calls = stream.calls
    if any(call.success is not False for call in calls):
        # One that is reported as failed may have arrived all the same: two calls can be two copies.
        if len(calls) > 1:
            return _unknown(Cause.REPEATED, f"The courier called {SEND_TOOL} {len(calls)} times instead of once.")
        return _judge_call(plan, run, calls[0])
    if stream.lacks_tool:
        return _Finding(Outcome.HARNESS_UNSUPPORTED, Cause.TOOL_MISSING, _lacks_tool(run))
    if not stream.is_transcript and stream.result is None and (flag := unknown_flag(run.stderr)):
        version = f" (version {one_line(run.program_version, 40)})" if run.program_version else ""
        return _failed(Cause.FLAG_UNKNOWN, f"This claude{version} does not know the option {flag}.")
    if run.end is CourierEnd.OVERFLOWED or stream.is_damaged:
        return _unknown(Cause.STREAM_BROKEN, "Part of the courier's output could not be read.")
    if stream.calls:
        return _judge_failed_calls(plan, run)
    return _judge_without_result(plan, run) if stream.result is None else _judge_result(plan, run, stream.result)


def _judge_call(plan: CourierPlan, run: CourierRun, call: SendCall) -> _Finding:
    """Judge one call that did not fail."""
    peer = _quoted(plan.name)
    if call.to != plan.name:
        return _unknown(Cause.WRONG_TARGET, f"The courier wrote to {_quoted(call.to or '')} instead of {peer}.")
    if call.message != plan.text:
        return _unknown(Cause.ALTERED, f"The courier changed the text on its way to {peer}.")
    verified = call.success is True
    if run.stream.notice is Notice.REFUSED:
        return _Finding(Outcome.REFUSED_BY_PEER, Cause.REFUSED, f"{peer} refused the message.", verified)
    if run.stream.notice is Notice.HELD:
        message = f"{peer} holds the message until its user approves it."
        return _Finding(Outcome.HELD_BY_PEER, Cause.HELD, message, verified)
    if doubt := _doubt(run, call):
        cause, message = doubt
        return _unknown(cause, f"The message went towards {peer}, but {message}.", verified=verified)
    so_far = "neither held nor refused so far" if run.notice_awaited else "not known whether it is held or refused"
    return _Finding(Outcome.SENT, None, f"Handed to {peer}; {so_far}.", verified)


def _doubt(run: CourierRun, call: SendCall) -> tuple[Cause, str] | None:
    """Say what keeps a call with the right name and text from being called sent."""
    result = run.stream.result
    if call.success is None:
        return _ending(run) or (Cause.UNCONFIRMED, "no result of the call was seen")
    if result is None:
        return _ending(run) or (Cause.STREAM_BROKEN, "the courier ended without its final answer")
    if run.end not in {CourierEnd.ANSWERED, CourierEnd.CANCELLED}:
        return _ending(run)
    if not result.ok:
        return Cause.API, f"the courier ended with an error: {_quoted(result.text or result.subtype)}"
    if SEND_TOOL in result.denials:
        return Cause.DENIED, f"the {SEND_TOOL} tool was reported as denied"
    if run.exit_code not in {0, None}:
        return Cause.STREAM_BROKEN, f"the courier ended with exit code {run.exit_code}"
    if run.stream.is_damaged:
        return Cause.STREAM_BROKEN, "part of the courier's output could not be read"
    if not says_sent(result.text):
        return Cause.UNCONFIRMED, f"the courier's last word was {_quoted(result.text)}"
    return None


def _ending(run: CourierRun) -> tuple[Cause, str] | None:
    match run.end:
        case CourierEnd.TIMED_OUT:
            return Cause.TIMEOUT, "the courier did not finish in time and was ended"
        case CourierEnd.CANCELLED:
            return Cause.CANCELLED, "the courier was cancelled"
        case CourierEnd.OVERFLOWED:
            return Cause.STREAM_BROKEN, "the courier printed more than any delivery can"
        case CourierEnd.ANSWERED:
            return None


def _judge_failed_calls(plan: CourierPlan, run: CourierRun) -> _Finding:
    answers = " ".join(call.answer for call in run.stream.calls if call.answer)
    if run.stream.result and SEND_TOOL in run.stream.result.denials:
        return _failed(Cause.DENIED, f"The {SEND_TOOL} tool was denied: {_quoted(answers)}.")
    return _failed(Cause.SEND_FAILED, f"Writing to {_quoted(plan.name)} failed: {_quoted(answers)}.")


def _judge_result(plan: CourierPlan, run: CourierRun, result: FinalResult) -> _Finding:
    """Judge a result without a call in sight; where the turns are not printed, its words are all there is."""
    is_transcript = run.stream.is_transcript
    if says_not_found(result.text):
        message = f"{NOT_FOUND_WORD}: the courier sees no session named {_quoted(plan.name)}."
        return _failed(Cause.NOT_LISTED, message + _stderr(run))
    if not result.ok:
        cause, reason = _api_trouble(run.stream)
        message = f"The courier met an error: {reason}."
        is_certain = is_transcript or cause in REFUSED_AT_ONCE
        return _failed(cause or Cause.API, message) if is_certain else _unknown(cause or Cause.API, message)
    if SEND_TOOL in result.denials:
        return _failed(Cause.DENIED, f"The {SEND_TOOL} tool was denied.")
    said = f"it said {_quoted(result.text)}" if result.text.strip() else "it said nothing"
    if not is_transcript:
        return _unknown(Cause.UNCONFIRMED, f"The courier's output does not show its calls; {said}.")
    return _failed(Cause.NOT_CALLED, f"The courier never called {SEND_TOOL}; {said}.{_stderr(run)}")


def _judge_without_result(plan: CourierPlan, run: CourierRun) -> _Finding:
    stream = run.stream
    cause, reason = _api_trouble(stream)
    if stream.refuses_credentials:
        return _failed(Cause.LOGIN, f"The API refuses the account: {reason}.")
    retrying = f" The API answered {reason}." if cause else ""
    if run.end is CourierEnd.TIMED_OUT:
        # A program that printed nothing may keep its output back: then nothing is known of a call.
        certain = "; nothing was sent" if stream.is_transcript or stream.tools is not None else ""
        message = f"The courier did not finish within {plan.timeout:g} seconds and was killed{certain}."
        return _failed(cause or Cause.TIMEOUT, message + retrying)
    if run.end is CourierEnd.CANCELLED:
        if stream.is_transcript:
            return _failed(Cause.CANCELLED, "Cancelled before the courier wrote to the peer; nothing was sent.")
        return _unknown(Cause.CANCELLED, "Cancelled before the courier showed what it did.")
    if not stream.is_transcript and run.exit_code in {0, None}:
        return _unknown(Cause.UNCONFIRMED, f"The courier ended without telling what it did.{_noise(run)}{_stderr(run)}")
    return _failed(
        cause or Cause.NOT_CALLED,
        f"The courier ended (exit code {run.exit_code}) before it wrote to the peer.{retrying}{_noise(run)}"
        f"{_stderr(run)}",
    )


def _api_trouble(stream: CourierStream) -> tuple[Cause | None, str]:
    """Return what kind of trouble with the API there was, and its own words about it."""
    result = stream.result
    words = " ".join(filter(None, (result.text if result else "", stream.api_error, stream.retry_error)))
    status = result.status if result and result.status else stream.retry_status
    cause = api_cause(status, words, result.subtype if result else "")
    reason = words or (f"HTTP status {status}" if status else result.subtype if result else "")
    return cause, _quoted(reason or "it gave no reason")


def _lacks_tool(run: CourierRun) -> str:
    version = f" {one_line(run.stream.version, 40)}" if run.stream.version else ""
    return f"This Claude Code{version} has no {SEND_TOOL} tool, so no session can be written to."


def _stderr(run: CourierRun) -> str:
    return f" Its error output: {_quoted(run.stderr)}." if run.stderr.strip() else ""


def _noise(run: CourierRun) -> str:
    return f" It printed {_quoted(' '.join(run.stream.noise))}." if run.stream.noise else ""


def _quoted(text: str) -> str:
    return f"“{one_line(' '.join(text.split()), _QUOTED)}”"
