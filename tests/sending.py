"""Sending one letter through the seams, as both front ends do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.building import build_peer
from tui.domain.messaging import Letter, message_peer

if TYPE_CHECKING:
    from tui.domain.delivery import Delivery
    from tui.domain.ports import Courier, RosterSource

SESSION = build_peer(7).record.session_id
"""The session that letters go to, unless a test says otherwise."""


async def send(
    source: RosterSource, courier: Courier, *, text: str = "hello", session_id: str = SESSION, **letter: Any
) -> Delivery:
    """Send `text` to the session, without ever cancelling."""
    return await message_peer(
        Letter(session_id, text, **letter),
        source=source,
        courier=courier,
        on_stage=lambda _stage: None,
        cancel=asyncio.Event(),
    )
