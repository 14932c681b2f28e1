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
from tui.domain.courier_events import (
    FinalResult,
    SendCall,
    blocks_of,
    final_result,
    http_status,
    send_call,
    take_answer,
    text_of,
)

STREAM_BYTES: Final = 32 * 1024 * 1024
"""The most that is read of one courier's output. The longest message appears in it twice, escaped."""

STREAM_LINES: Final = 20_000
"""The most lines that are read of one courier's output; a delivery takes a few dozen."""

_NOTICE_PREFIX: Final = "Cross-session message "
_AUTHENTICATION_STATUS: Final = frozenset({401, 403})
_REFUSALS: Final = 2  # after the first, the program renews an expired token and often succeeds
_REPORTED_LINES: Final = 20
_REPORTED_CHARACTERS: Final = 400
_EVENT_SIGNS: Final = ('{"', "[{")


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
    """The program prints what happens in its turns, so that a call that is missing was not made."""
    is_damaged: bool = False
    """Something was cut off or could not be read, and may have held a call."""
    noise: list[str] = field(default_factory=list)
    """The first lines that are no events, untrusted."""
    _by_id: dict[str, SendCall] = field(default_factory=dict)
    _listed: bool = False
    _refusals: int = 0

    def feed(self, line: bytes, *, whole: bool = True) -> None:
        """Take one line; `whole` is false for a last line that was cut off."""
        if not line.strip():
            return
        try:
            event = json.loads(line.decode())
        except (ValueError, RecursionError):
            self._take_noise(line.decode("utf-8", "replace").strip(), whole=whole)
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
        """Whether the API keeps refusing the account; the program would go on retrying for minutes."""
        return self._refusals >= _REFUSALS

    @property
    def lacks_tool(self) -> bool:
        """Whether this program has no cross-session messages at all."""
        return self.tools is not None and SEND_TOOL not in self.tools and not self.calls

    @property
    def step(self) -> Step:
        """What to do after the events read so far."""
        if self.notice or self.lacks_tool or (self.refuses_credentials and not self.calls):
            return Step.END
        if self.result is None:
            return Step.READ
        return Step.GRACE if any(call.success is not False for call in self.calls) else Step.END

    def _take_noise(self, text: str, *, whole: bool) -> None:
        may_be_event = text.startswith(_EVENT_SIGNS) or '"type"' in text or (not whole and text in {"{", "["})
        self.is_damaged |= may_be_event
        if len(self.noise) < _REPORTED_LINES:
            self.noise.append(text[:_REPORTED_CHARACTERS])

    def _take(self, event: dict[str, Any]) -> None:
        match event.get("type"):
            case "system":
                self._take_system(event)
            case "assistant":
                self.is_transcript = True
                self.api_error = text_of(event.get("error")) or self.api_error
                for block in blocks_of(event):
                    self._take_call(block)
            case "user":
                for block in blocks_of(event):
                    call = self._by_id.get(text_of(block.get("tool_use_id")))
                    if call is not None and block.get("type") == "tool_result":
                        take_answer(call, block, event.get("tool_use_result"))
            case "result":
                self.result = final_result(event)

    def _take_system(self, event: dict[str, Any]) -> None:
        match event.get("subtype"):
            case "init":
                self.is_transcript = True
                tools = event.get("tools")
                if isinstance(tools, list):
                    self.tools = frozenset(tool for tool in tools if isinstance(tool, str))
                self.version = text_of(event.get("claude_code_version"))
            case "api_retry":
                self._take_retry(event)
            case "informational":
                content = text_of(event.get("content"))
                if content.startswith(_NOTICE_PREFIX):
                    decision = content.removeprefix(_NOTICE_PREFIX).partition(" ")[0]
                    self.notice = Notice(decision) if decision in set(Notice) else self.notice

    def _take_retry(self, event: dict[str, Any]) -> None:
        self.retry_status = http_status(event.get("error_status"))
        self.retry_error = text_of(event.get("error"))
        is_refusal = self.retry_status in _AUTHENTICATION_STATUS or self.retry_error.startswith("authentication")
        self._refusals = self._refusals + 1 if is_refusal else 0

    def _take_call(self, block: dict[str, Any]) -> None:
        if block.get("type") != "tool_use":
            return
        self._listed |= block.get("name") == LIST_TOOL
        if block.get("name") != SEND_TOOL:
            return
        call = send_call(block)
        call_id = text_of(block.get("id"))
        printed = self._by_id.setdefault(call_id, call) if call_id else call
        if printed is call:
            self.calls.append(call)
        else:  # a call that is printed twice is still one call
            self.is_damaged |= (printed.to, printed.message) != (call.to, call.message)
