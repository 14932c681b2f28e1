"""Every outcome and every cause: an example that leads to it, a sentence and a hint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest

from tests.building import build_peer, build_roster
from tests.courier_lines import INIT, PLAN, answered, called, ran, result, said, verdict
from tests.fakes import FakeCourier, FakeRosterSource
from tests.sending import send
from tui.domain.addressing import resolve
from tui.domain.delivery import HINTS, Cause, Delivery, Outcome
from tui.domain.peers import Liveness, Peer
from tui.domain.roster import RegistryState
from tui.domain.verdict import CourierEnd, NotStarted, judge

if TYPE_CHECKING:
    from collections.abc import Callable


def resolved(*peers: Peer, expected: Peer | None = None, state: RegistryState = RegistryState.READ) -> Delivery:
    target = resolve(build_roster(*peers, state=state, detail="no"), build_peer(7).record.session_id, expected)
    assert isinstance(target, Delivery)
    return target


def failed(text: str, status: int | None = None, subtype: str = "success") -> Delivery:
    return verdict(INIT, said(text), result(text, is_error=True, api_error_status=status, subtype=subtype))


def noticed(decision: str) -> Delivery:
    content = f"Cross-session message {decision} by the receiving session (recipient: @peer-b)"
    return verdict(
        INIT, called(), answered(), result(), {"type": "system", "subtype": "informational", "content": content}
    )


EXAMPLES: Final[dict[Cause, Callable[[], Delivery]]] = {
    Cause.NO_SESSION: resolved,
    Cause.REGISTRY: lambda: resolved(state=RegistryState.UNREADABLE),
    Cause.NAME: lambda: resolved(build_peer(7, name="a\nb")),
    Cause.UNREACHABLE: lambda: resolved(build_peer(7, reachable=False)),
    Cause.PARKED: lambda: resolved(build_peer(7, liveness=Liveness.PARKED)),
    Cause.ELSEWHERE: lambda: resolved(build_peer(7, liveness=Liveness.ELSEWHERE)),
    Cause.COURIER_PEER: lambda: resolved(build_peer(7, name="peerdeck", entrypoint="sdk-cli")),
    Cause.AMBIGUOUS: lambda: resolved(build_peer(7, name="a"), build_peer(8, name="a")),
    Cause.CHANGED: lambda: resolved(build_peer(7, name="a"), expected=build_peer(7, name="b")),
    Cause.PROGRAM_NOT_FOUND: lambda: judge(PLAN, NotStarted(Cause.PROGRAM_NOT_FOUND, "There is none.")),
    Cause.PROGRAM_NOT_RUNNABLE: lambda: judge(PLAN, NotStarted(Cause.PROGRAM_NOT_RUNNABLE, "It is a directory.")),
    Cause.FLAG_UNKNOWN: lambda: judge(PLAN, replace(ran(exit_code=1), stderr="error: unknown option '--x'")),
    Cause.TOOL_MISSING: lambda: verdict(INIT | {"tools": []}),
    Cause.LOGIN: lambda: failed("Please run /login", 401),
    Cause.CREDIT: lambda: failed("Credit balance is too low", 400),
    Cause.LIMIT: lambda: failed("You've hit your limit", 429),
    Cause.MODEL: lambda: failed("invalid model", 404),
    Cause.OVERLOAD: lambda: failed("Overloaded", 529),
    Cause.NETWORK: lambda: failed("Connection error."),
    Cause.API: lambda: failed("strange"),
    Cause.TURNS: lambda: failed("", subtype="error_max_turns"),
    Cause.DENIED: lambda: verdict(INIT, result("", permission_denials=[{"tool_name": "SendMessage"}])),
    Cause.NOT_LISTED: lambda: verdict(INIT, result("NOT_FOUND")),
    Cause.NOT_CALLED: lambda: verdict(INIT, result("Hello!")),
    Cause.SEND_FAILED: lambda: verdict(INIT, called(), answered('{"success":false}'), result("no")),
    Cause.TIMEOUT: lambda: verdict(INIT, end=CourierEnd.TIMED_OUT),
    Cause.CANCELLED: lambda: verdict(INIT, end=CourierEnd.CANCELLED),
    Cause.STREAM_BROKEN: lambda: verdict(INIT, b'{"type":"assi', result("SENT")),
    Cause.WRONG_TARGET: lambda: verdict(INIT, called(to="peer-c"), answered(), result()),
    Cause.ALTERED: lambda: verdict(INIT, called(message="please"), answered(), result()),
    Cause.REPEATED: lambda: verdict(INIT, called(), called(call_id="t2"), result()),
    Cause.UNCONFIRMED: lambda: verdict(INIT, called(), result()),
    Cause.HELD: lambda: noticed("held"),
    Cause.REFUSED: lambda: noticed("refused"),
}
TEXTS: Final = {Cause.EMPTY: " \n", Cause.TOO_LONG: "x" * 1_048_577, Cause.NOT_TEXT: "a\ud800"}


def test_every_cause_has_a_hint() -> None:
    assert HINTS.keys() == set(Cause)
    assert all(hint.strip() for hint in HINTS.values())


def test_every_cause_has_an_example_here() -> None:
    assert EXAMPLES.keys() | TEXTS.keys() == set(Cause)


@pytest.mark.parametrize("cause", EXAMPLES)
def test_every_cause_comes_with_a_sentence_and_a_hint(cause: Cause) -> None:
    delivery = EXAMPLES[cause]()
    assert delivery.cause is cause
    assert delivery.outcome is not Outcome.SENT
    assert len(delivery.message) > 10
    assert delivery.hint


@pytest.mark.parametrize("cause", TEXTS)
async def test_every_refused_text_comes_with_a_sentence_and_a_hint(cause: Cause) -> None:
    courier = FakeCourier()
    delivery = await send(FakeRosterSource(build_roster(build_peer(7))), courier, text=TEXTS[cause])
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, cause)
    assert delivery.message
    assert delivery.hint == HINTS[cause]
    assert courier.plans == []


def test_every_outcome_is_reached_and_only_sent_has_no_hint() -> None:
    deliveries = [*(example() for example in EXAMPLES.values()), verdict(INIT, called(), answered(), result())]
    assert {delivery.outcome for delivery in deliveries} == set(Outcome)
    assert {delivery.outcome for delivery in deliveries if not delivery.hint} == {Outcome.SENT}
    assert all(delivery.message for delivery in deliveries)


def test_what_may_have_been_sent_is_never_called_safe_to_send_again() -> None:
    for example in EXAMPLES.values():
        delivery = example()
        if delivery.outcome is Outcome.UNKNOWN:
            assert "before you send it again" in delivery.hint
            assert "may have been sent" in delivery.message
