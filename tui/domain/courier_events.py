"""Values read out of a courier's events, whose every field is untrusted: a wrong type is the same as none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from tui.domain.courier import SEND_TOOL

_MOST_DOLLARS: Final = 1_000_000
_STATUSES: Final = range(100, 1000)


@dataclass(slots=True)
class SendCall:
    """One SendMessage call."""

    to: str | None
    """None when it is no text."""
    message: str | None
    success: bool | None = None
    """None while no result was seen, or when the result does not say."""
    answer: str = ""
    """The tool's own words, untrusted."""


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The `result` event that closes a turn."""

    ok: bool
    """`subtype` is success and `is_error` is exactly false."""
    text: str
    """The final answer or the error's text, untrusted; empty where there is none."""
    subtype: str
    status: int | None
    """HTTP status of an API error."""
    denials: tuple[str, ...]
    """Names of the tools that were denied."""
    cost_usd: float | None


def final_result(event: dict[str, Any]) -> FinalResult:
    """Read a `result` event."""
    subtype = text_of(event.get("subtype"))
    denials = event.get("permission_denials") or ()
    if not isinstance(denials, list | tuple):
        denials = (denials,)
    return FinalResult(
        ok=subtype == "success" and event.get("is_error") is False,
        text=text_of(event.get("result")),
        subtype=subtype,
        status=http_status(event.get("api_error_status")),
        denials=tuple(_denied_tool(denial) for denial in denials),
        cost_usd=_dollars(event.get("total_cost_usd")),
    )


def send_call(block: dict[str, Any]) -> SendCall:
    """Read a `tool_use` block of the send tool."""
    arguments = block.get("input")
    arguments = arguments if isinstance(arguments, dict) else {}
    to, message = arguments.get("to"), arguments.get("message")
    return SendCall(to if isinstance(to, str) else None, message if isinstance(message, str) else None)


def take_answer(call: SendCall, block: dict[str, Any], outcome: Any) -> None:
    """Write into `call` what its `tool_result` block says.

    The success stands twice: in the answer, and in `outcome`, the event's `tool_use_result`. It counts where all that
    say something say the same.
    """
    call.answer = _content_text(block.get("content"))
    if block.get("is_error") is True:
        call.success = False
        return
    reports = [report["success"] for report in (outcome, _json(call.answer)) if _says_success(report)]
    first = reports[0] if reports else None
    call.success = first if isinstance(first, bool) and all(report is first for report in reports) else None


def blocks_of(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the content blocks of an `assistant` or `user` event."""
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def text_of(value: Any) -> str:
    """Return a text; empty for what is none."""
    return value if isinstance(value, str) else ""


def http_status(value: Any) -> int | None:
    """Return an HTTP status; None for what is none."""
    return value if isinstance(value, int) and value in _STATUSES else None


def _denied_tool(denial: Any) -> str:
    """Name the tool; a denial of unknown shape counts as one of the send tool: better doubted than believed."""
    name = denial.get("tool_name") if isinstance(denial, dict) else None
    return name if isinstance(name, str) else SEND_TOOL


def _content_text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(text_of(block.get("text")) for block in content if isinstance(block, dict))
    return text_of(content)


def _says_success(report: Any) -> bool:
    return isinstance(report, dict) and "success" in report


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _dollars(value: Any) -> float | None:
    """Take a believable amount; infinity, not-a-number and numbers that no float holds are none."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < _MOST_DOLLARS else None
