"""The courier's event stream -> evidence of what was really sent.

The model's word alone is no evidence: it may paraphrase, send nothing, or write to somebody else. The stream shows the
SendMessage call itself and its result, so both can be compared with what was to be sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from tui.domain.courier import LIST_TOOL, SEND_TOOL

STREAM_BYTES: Final = 32 * 1024 * 1024
"""The most that is read of one courier's output. The longest message appears in it twice, escaped."""

_NOTICE_PREFIX: Final = "Cross-session message "
_AUTHENTICATION_STATUS: Final = frozenset({401, 403})
_REPORTED_LINES: Final = 20
_MOST_DOLLARS: Final = 1_000_000


class Stage(StrEnum):
    """What a courier is doing now, in words for the person who waits."""

    STARTING = "starting the courier"
    LOOKING = "looking for the peer"
    SENDING = "handing the message over"
    DECIDING = "waiting for a held or refused notice"


class Notice(StrEnum):
    """The receiving session's decision, as it reaches a courier that stays alive."""

    HELD = "held"
    REFUSED = "refused"


class Step(StrEnum):
    """What to do after the events read so far."""

    READ = "read"
    """Go on reading."""
    GRACE = "grace"
    """The message was handed over; wait a little for a notice."""
    END = "end"
    """Nothing more can change the verdict: end the courier."""


@dataclass(slots=True)
class SendCall:
    """One SendMessage call."""

    to: Any
    message: Any
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


@dataclass(slots=True)
class CourierStream:
    """Reads a courier's stdout line by line. Never raises, whatever the bytes."""

    calls: list[SendCall] = field(default_factory=list)
    result: FinalResult | None = None
    """The last one."""
    notice: Notice | None = None
    retry_status: int | None = None
    """HTTP status of the last API failure that the program retries."""
    retry_error: str = ""
    api_error: str = ""
    """The program's own word for the API error that ended the turn, such as `model_not_found`."""
    tools: frozenset[str] | None = None
    """The tools that the program said it has; None before it said so."""
    version: str = ""
    is_transcript: bool = False
    """At least one event of a turn was seen, so that a missing call means that there was none."""
    is_damaged: bool = False
    """Something was cut off or could not be read, and may have held a call."""
    noise: list[str] = field(default_factory=list)
    """The first lines that are no events, untrusted."""
    _by_id: dict[str, SendCall] = field(default_factory=dict)
    _listed: bool = False

    def feed(self, line: bytes, *, whole: bool = True) -> None:
        """Take one line; `whole` is false for a last line that was cut off."""
        text = line.decode("utf-8", "replace").strip()
        if not text:
            return
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            self._take_noise(text, whole=whole)
            return
        for each in event if isinstance(event, list) else [event]:
            if isinstance(each, dict):
                self._take(each)

    @property
    def stage(self) -> Stage:
        """What the courier is doing, as far as the events show."""
        if self.result is not None:
            return Stage.DECIDING
        if self.calls:
            return Stage.SENDING
        return Stage.LOOKING if self._listed or self.tools is not None else Stage.STARTING

    @property
    def refuses_credentials(self) -> bool:
        """Whether the API refuses the account; the program would go on retrying for minutes."""
        return self.retry_status in _AUTHENTICATION_STATUS or self.retry_error.startswith("authentication")

    @property
    def lacks_tool(self) -> bool:
        """Whether this program has no cross-session messages at all."""
        return self.tools is not None and SEND_TOOL not in self.tools

    @property
    def step(self) -> Step:
        """What to do after the events read so far."""
        if self.notice or self.lacks_tool or (self.refuses_credentials and not self.calls):
            return Step.END
        if self.result is None:
            return Step.READ
        return Step.GRACE if any(call.success is not False for call in self.calls) else Step.END

    def _take_noise(self, text: str, *, whole: bool) -> None:
        if not whole or text.startswith(('{"', '[{"')):
            self.is_damaged = True
        if len(self.noise) < _REPORTED_LINES:
            self.noise.append(text[:400])

    def _take(self, event: dict[str, Any]) -> None:
        match event.get("type"):
            case "system":
                self._take_system(event)
            case "assistant":
                self.is_transcript = True
                self.api_error = _text(event.get("error")) or self.api_error
                for block in _blocks(event):
                    self._take_call(block)
            case "user":
                for block in _blocks(event):
                    self._take_tool_result(block, event.get("tool_use_result"))
            case "result":
                self.result = _final_result(event)

    def _take_system(self, event: dict[str, Any]) -> None:
        match event.get("subtype"):
            case "init":
                tools = event.get("tools")
                self.tools = frozenset(map(str, tools)) if isinstance(tools, list) else None
                self.version = _text(event.get("claude_code_version"))
            case "api_retry":
                self.retry_status = _integer(event.get("error_status"))
                self.retry_error = _text(event.get("error"))
            case "informational":
                content = _text(event.get("content"))
                if content.startswith(_NOTICE_PREFIX):
                    decision = content.removeprefix(_NOTICE_PREFIX).partition(" ")[0]
                    self.notice = Notice(decision) if decision in set(Notice) else self.notice

    def _take_call(self, block: dict[str, Any]) -> None:
        if block.get("type") != "tool_use":
            return
        self._listed |= block.get("name") == LIST_TOOL
        if block.get("name") != SEND_TOOL:
            return
        arguments = block.get("input")
        arguments = arguments if isinstance(arguments, dict) else {}
        call_id = _text(block.get("id"))
        call = SendCall(arguments.get("to"), arguments.get("message"))
        if not call_id or call_id not in self._by_id:  # a call that is printed twice is still one call
            self._by_id[call_id] = call
            self.calls.append(call)

    def _take_tool_result(self, block: dict[str, Any], outcome: Any) -> None:
        call = self._by_id.get(_text(block.get("tool_use_id")))
        if block.get("type") != "tool_result" or call is None:
            return
        call.answer = _content_text(block.get("content"))
        if block.get("is_error") is True:
            call.success = False
            return
        if not isinstance(outcome, dict):
            outcome = _json_object(call.answer)
        success = outcome.get("success")
        call.success = success if isinstance(success, bool) else None


def _final_result(event: dict[str, Any]) -> FinalResult:
    subtype = _text(event.get("subtype"))
    denials = event.get("permission_denials") or ()
    if not isinstance(denials, list | tuple):
        denials = (denials,)
    return FinalResult(
        ok=subtype == "success" and event.get("is_error") is False,
        text=_text(event.get("result")),
        subtype=subtype,
        status=_integer(event.get("api_error_status")),
        denials=tuple(_denied_tool(denial) for denial in denials),
        cost_usd=_dollars(event.get("total_cost_usd")),
    )


def _denied_tool(denial: Any) -> str:
    """Name the tool; a denial of unknown shape counts as one of the send tool: better doubted than believed."""
    name = denial.get("tool_name") if isinstance(denial, dict) else None
    return name if isinstance(name, str) else SEND_TOOL


def _blocks(event: dict[str, Any]) -> list[dict[str, Any]]:
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _content_text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(_text(block.get("text")) for block in content if isinstance(block, dict))
    return _text(content)


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dollars(value: Any) -> float | None:
    """Take a believable amount; infinity, not-a-number and numbers that no float holds are none."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < _MOST_DOLLARS else None


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
