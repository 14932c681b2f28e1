"""A result without the call it speaks of: whatever it says, and however the courier exits, nothing is called sent."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.courier_lines import INIT, result, said, verdict
from tui.domain.delivery import Outcome

LOGIN: Final = 'API Error: 401 {"type":"error"} · Please run /login'
DENIAL: Final = {"tool_name": "SendMessage", "tool_use_id": "t1", "tool_input": {}}
# What each result is, and whether it is certain by itself that nothing was sent.
RESULTS: Final[dict[str, tuple[Any, bool]]] = {
    "sent": (result("SENT"), False),
    "login": (result(LOGIN, is_error=True, api_error_status=401), True),
    "credit": (result("Credit balance is too low", is_error=True), True),
    "model": (result("API Error: 400 invalid model identifier", is_error=True, api_error_status=400), True),
    "limit": (result("You've hit your limit · resets 1pm", is_error=True), False),
    "overload": (result("API Error: 529 Overloaded", is_error=True, api_error_status=529), False),
    "error that says sent": (result("SENT", is_error=True), False),
    "error in words": (result("SENT", is_error="true"), False),
    "no error flag": (result("SENT", is_error=None), False),
    "empty": (result(""), False),
    "null": (result(None), False),
    "number": (result(5), False),
    "list": (result(["SENT"]), False),
    "in the middle of a tool": (result("SENT", stop_reason="tool_use"), False),
    "too many turns": (result(None, subtype="error_max_turns", is_error=True), False),
    "no turn": (result("SENT", num_turns=0), False),
    "one turn": (result("SENT", num_turns=1), False),
    "denied": (result("SENT", permission_denials=[DENIAL]), True),
    "denied without a turn": (result("SENT", permission_denials=DENIAL, num_turns=0), True),
    "denials null": (result("SENT", permission_denials=None), False),
    "not a result": (result("SENT") | {"type": "message"}, False),
    "array": ([said("SENT"), result("SENT")], False),
}


@pytest.mark.parametrize("exit_code", [0, 1, 143, None])
@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_by_itself_is_never_called_sent(kind: str, exit_code: int | None) -> None:
    event, is_certain = RESULTS[kind]
    alone = verdict(event, exit_code=exit_code)
    shown = verdict(INIT, said("…"), event, exit_code=exit_code)
    assert shown.outcome is Outcome.DELIVERY_FAILED  # its turns were printed, and there was no call
    if kind == "not a result" and exit_code:
        is_certain = True  # it ended before it said what it did
    if kind != "array":  # whose assistant's words are a turn that was printed
        assert alone.outcome is (Outcome.DELIVERY_FAILED if is_certain else Outcome.UNKNOWN)
    for delivery in (alone, shown):
        assert delivery.cause
        assert delivery.hint
        assert not delivery.verified
        assert delivery.message.isprintable()
