"""One config directory's registry, read for one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.effects.processes import own_pid_space, system_processes
from tui.effects.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from tui.domain.roster import Roster
    from tui.effects.claude_home import ClaudeHome


class RegistryReader:
    """The roster of one config directory, now."""

    def __init__(self, home: ClaudeHome, couriers: Callable[[], Container[int]] = frozenset) -> None:
        """Read `home`; pids in `couriers()` are our own and get no row."""
        self._home = home
        self._couriers = couriers
        self._processes = system_processes()
        self._pid_space = own_pid_space()

    def read_now(self) -> Roster:
        """Read the whole registry, every process checked."""
        return Registry(self._home.registry, self._processes, self._pid_space, self._couriers).read()

    async def read(self) -> Roster:
        """Do the same without holding up the event loop."""
        import asyncio  # noqa: PLC0415 - `list` needs none of it, and it takes as long as all the rest

        return await asyncio.to_thread(self.read_now)
