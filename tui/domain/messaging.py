"""Writing to a peer: find it in the registry as it is now, then send once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tui.domain.addressing import resolve
from tui.domain.courier import COURIER_MODEL, COURIER_TIMEOUT, MESSAGE_LIMIT, CourierPlan, fresh_nonce
from tui.domain.delivery import Cause, Delivery, Outcome
from tui.domain.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.domain.courier_stream import Stage
    from tui.domain.peers import Peer
    from tui.domain.ports import CancelSignal, Courier, RosterReader


@dataclass(frozen=True, slots=True)
class Letter:
    """A message and whom it is for."""

    session_id: str
    text: str
    expected: Peer | None = None
    """The peer as it was shown when the letter was written; sending is refused when it is another now."""
    model: str = COURIER_MODEL
    timeout: float = COURIER_TIMEOUT
    """Seconds; see `CourierPlan.timeout`."""


async def message_peer(
    letter: Letter,
    *,
    source: RosterReader,
    courier: Courier,
    on_stage: Callable[[Stage], None],
    cancel: CancelSignal,
) -> Delivery:
    """Resolve the letter's session in the registry, which is read again, and send its text once.

    The refusals come in a stable order: an empty message, no live process, a name that does not lead to the
    session alone, then whatever the courier met. Nothing is ever sent a second time.
    """
    if refusal := _refuse_text(letter.text):
        return refusal
    target = resolve(await source.read(), letter.session_id, letter.expected)
    if isinstance(target, Delivery):
        return target
    plan = CourierPlan(
        target.name, letter.text, fresh_nonce(letter.text, courier.draw_nonce), letter.model, letter.timeout
    )
    return replace(judge(plan, await courier.run(plan, on_stage, cancel)), target=target)


def _refuse_text(text: str) -> Delivery | None:
    if not text.strip():
        return Delivery(Outcome.DELIVERY_FAILED, "refusing to deliver an empty message", Cause.EMPTY)
    if len(text) > MESSAGE_LIMIT:
        message = f"the message has {len(text)} characters; Claude Code takes at most {MESSAGE_LIMIT}"
        return Delivery(Outcome.DELIVERY_FAILED, message, Cause.TOO_LONG)
    try:
        text.encode()
    except UnicodeEncodeError:
        return Delivery(Outcome.DELIVERY_FAILED, "the message is not valid Unicode text", Cause.NOT_TEXT)
    return None
