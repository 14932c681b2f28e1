"""The settings store away from the event loop, its errors as values."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tui.domain.inbound import InboundPolicy, InboundSettings, SettingsError
from tui.messages import PolicyNotWritten, PolicyWritten

if TYPE_CHECKING:
    from tui.domain.ports import SettingsStore


class PolicyFile:
    """Reads and writes in a thread, one at a time."""

    def __init__(self, store: SettingsStore) -> None:
        self._store = store
        self._turn = asyncio.Lock()

    async def read(self) -> InboundSettings | SettingsError:
        """Return what the file says now, or why it cannot be read."""
        async with self._turn:
            return await self._read()

    async def write(self, policy: InboundPolicy | None, revision: str | None) -> PolicyWritten | PolicyNotWritten:
        """Write the policy if the file still is at `revision`, and return what came of it. Nothing is tried twice."""
        async with self._turn:
            try:
                return PolicyWritten(await asyncio.to_thread(self._store.update, policy, revision))
            except SettingsError as error:
                return PolicyNotWritten(policy, error, await self._read())

    async def _read(self) -> InboundSettings | SettingsError:
        try:
            return await asyncio.to_thread(self._store.read)
        except SettingsError as error:
            return error
