"""The lines of a courier's output: recorded from the real program, or built."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.fakes import stream_of
from tui.domain.courier import CourierPlan
from tui.domain.verdict import CourierEnd, CourierRun, judge

if TYPE_CHECKING:
    from tui.domain.delivery import Delivery

_RECORDINGS: Final = Path(__file__).parent / "recorded" / "courier"

PLAN: Final = CourierPlan("peer-b", "please run the tests", "c0de")
"""What the courier of `sent.jsonl` was told to do."""

INIT: Final = {
    "type": "system",
    "subtype": "init",
    "tools": ["ListAgents", "SendMessage"],
    "claude_code_version": "2.1.328",
}


def recorded(name: str) -> list[bytes]:
    """Return the lines that the real program printed, without their line ends."""
    return (_RECORDINGS / f"{name}.jsonl").read_bytes().splitlines()


def line(event: Any) -> bytes:
    """Return an event as the program prints it."""
    return json.dumps(event, ensure_ascii=False).encode()


def said(text: str) -> dict[str, Any]:
    """Return the event of an assistant's words."""
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}


def called(to: Any = PLAN.name, message: Any = PLAN.text, call_id: str = "t1", tool: str = "SendMessage") -> Any:
    """Return the event of a tool call."""
    block = {"type": "tool_use", "id": call_id, "name": tool, "input": {"to": to, "message": message}}
    return {"type": "assistant", "message": {"content": [block]}}


def answered(content: Any = '{"success":true}', call_id: str = "t1", **changes: Any) -> dict[str, Any]:
    """Return the event of a tool's answer; `changes` are keys of its block."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {"type": "user", "message": {"content": [block | changes]}}


def result(text: Any = "SENT", **changes: Any) -> dict[str, Any]:
    """Return a `result` event, which is also all that `--output-format json` prints; None leaves a key out."""
    event = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "api_error_status": None,
        "num_turns": 2,
        "result": text,
        "stop_reason": "end_turn",
        "total_cost_usd": 0.02,
        "permission_denials": [],
    }
    return {key: value for key, value in (event | changes).items() if value is not None or key == "result"}


SENT_EVENTS: Final = (INIT, called(), answered())
"""What comes before the result of a message that was sent as `PLAN` says."""


def ran(*events: Any, **changes: Any) -> CourierRun:
    """Return the run of a courier that printed these events (or raw lines) and exited by itself."""
    lines = [event if isinstance(event, bytes) else line(event) for event in events]
    run: dict[str, Any] = {"end": CourierEnd.ANSWERED, "exit_code": 0}
    return CourierRun(stream_of(lines), **(run | changes))


def verdict(*events: Any, **changes: Any) -> Delivery:
    """Return what is said of such a run for `PLAN`."""
    return judge(PLAN, ran(*events, **changes))
