"""File events, process ends and a slow heartbeat -> a stream of rosters.

The heartbeat bounds how old the roster can be where nothing is told: network file systems, a directory that was
replaced, a missing one, and processes that no descriptor was left for.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tui.domain.roster import changes
from tui.effects.exposure import exposure
from tui.effects.process_ends import ToldProcesses, system_teller
from tui.effects.registry import TORN_GRACE, Registry
from tui.effects.registry_reader import RegistryReader

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Container
    from pathlib import Path

    from tui.domain.peers import PidSpace
    from tui.domain.roster import Roster
    from tui.effects.claude_home import ClaudeHome
    from tui.effects.file_events import FileEvents
    from tui.effects.processes import Processes

HEARTBEAT: Final = 2.0
"""Seconds between two looks at the whole directory while everything is told."""

POLL: Final = 1.0
"""Seconds between two looks while something is not told."""

_MOST_OF_TIME: Final = 300  # a heartbeat takes no more than one part in this of the time, ...
_LONGEST_PAUSE: Final = 10.0  # ... unless that would leave changes that nobody tells of unseen for so long, in seconds

_log = logging.getLogger(__name__)

_Identity = tuple[int, int]
_Identities = tuple[_Identity | None, _Identity | None]


class RegistryWatcher(RegistryReader):
    """The roster of one config directory, now and after each change."""

    async def watch(self) -> AsyncGenerator[Roster, None]:
        """Yield the roster as it is, then again after each change."""
        watch = _Watch(self._home, self._couriers, self._processes, self._pid_space)
        try:
            before = None
            while True:
                roster = await watch.look()
                if roster != before:
                    _log_changes(before, roster)
                    before = roster
                    yield roster
                await watch.wait()
        finally:
            watch.close()


class _Watch:
    """What one iteration of `RegistryWatcher.watch` holds on to."""

    def __init__(
        self,
        home: ClaudeHome,
        couriers: Callable[[], Container[int]],
        processes: Processes,
        pid_space: PidSpace,
    ) -> None:
        self._home = home
        self._loop = asyncio.get_running_loop()
        self._told = ToldProcesses(processes, lambda on_end: system_teller(self._loop, on_end), self._ended)
        self._registry = Registry(home.registry, self._told, pid_space, couriers)
        self._woken = asyncio.Event()
        self._names: set[str] = set()
        self._pids: set[int] = set()
        self._beat = True
        self._beaten_at = 0.0
        self._events: FileEvents | None = None
        self._armed_on: _Identities = (None, None)
        self._replaced = False
        self._own_paths: frozenset[str] = frozenset()
        self._registry_paths: frozenset[str] = frozenset()
        self._trouble = ""
        self._exposure = ""
        self._all_told = False
        self._cost = 0.0

    async def look(self) -> Roster:
        """Take in what was told, or look at everything when the heartbeat is due."""
        self._woken.clear()
        names, self._names = self._names, set()
        pids, self._pids = self._pids, set()
        if self._beat:
            self._beat = False
            self._beaten_at = self._loop.time()
            await self._rearm()
            started = time.monotonic()
            roster = await asyncio.to_thread(self._registry.rescan)
            self._cost = time.monotonic() - started
            self._exposure = exposure((self._home.registry, self._home.config_dir))
        else:
            roster = await asyncio.to_thread(self._registry.refresh, names, pids)
        self._all_told = self._told.arm({peer.pid for peer in roster.peers if peer.liveness.has_process})
        return replace(roster, watch_trouble=self._trouble, exposure=self._exposure)

    async def wait(self) -> None:
        """Return when something is told or the heartbeat is due."""
        # Counted from the last one: a directory that never rests must not put the heartbeat off for ever.
        due = self._beaten_at + self._pause()
        try:
            async with asyncio.timeout_at(due):
                await self._woken.wait()
        except TimeoutError:
            self._beat = True
        self._beat |= self._loop.time() >= due

    def close(self) -> None:
        """Let go of all watches."""
        self._told.arm(())
        if self._events:
            self._events.close()

    def _pause(self) -> float:
        if self._registry.has_torn_files:
            return TORN_GRACE
        all_told = self._events is not None and self._armed_on[1] is not None and self._all_told
        return max(HEARTBEAT if all_told else POLL, min(self._cost * _MOST_OF_TIME, _LONGEST_PAUSE))

    async def _rearm(self) -> None:
        """Watch the registry and its parent, anew when either is another directory than before."""
        directories = (self._home.registry, self._home.config_dir)
        identities = (_identity(directories[0]), _identity(directories[1]))
        is_told = self._events is not None and not self._events.is_over
        if is_told and identities == self._armed_on and not self._replaced:
            return
        self._replaced = False
        if self._events:
            await asyncio.to_thread(self._events.close)
            self._events = None
        self._armed_on = identities
        self._registry_paths = _spellings(directories[0])
        self._own_paths = self._registry_paths | _spellings(directories[1])
        self._trouble = ""
        existing = [path for path, identity in zip(directories, identities, strict=True) if identity]
        _log.info("watching %d of 2 directories", len(existing))
        if not existing:
            return  # the roster itself says that there is nothing to watch
        from tui.effects.file_events import CannotWatchError, FileEvents  # noqa: PLC0415 - after the first painting

        try:
            self._events = FileEvents(existing, self._tell)
        except CannotWatchError as error:
            self._trouble = f"changes are looked for every {POLL:g} s: {error}"
            _log.info("cannot watch: %s", error)

    def _tell(self, paths: set[str]) -> None:
        """Hand over from the thread of the file events."""
        self._loop.call_soon_threadsafe(self._changed, paths)

    def _changed(self, paths: set[str]) -> None:
        names = {name for parent, name in map(os.path.split, paths) if parent in self._registry_paths}
        self._names |= names
        # Of what else changes in the config directory, only the two directories themselves matter. A directory that is
        # made anew often has the inode of the old one, so that only the event tells the two apart.
        self._replaced |= not self._own_paths.isdisjoint(paths)
        self._beat |= self._replaced
        if names or self._beat:
            self._woken.set()

    def _ended(self, pid: int) -> None:
        self._pids.add(pid)
        self._woken.set()


def _log_changes(before: Roster | None, after: Roster) -> None:
    if not _log.isEnabledFor(logging.INFO):
        return
    _log.info("roster %s, %d shown, %d over", after.state.value, len(after.peers), len(after.absent))
    for change in changes(before, after):
        peer = change.peer
        word = type(change).__name__
        _log.info("%s pid %d %s %s", word, peer.pid, peer.status.value, peer.liveness.value)


def _identity(directory: Path) -> _Identity | None:
    try:
        status = directory.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _spellings(directory: Path) -> frozenset[str]:
    """Return how an event may name a directory: as it was asked for, or with its links resolved."""
    return frozenset({os.fspath(directory), os.path.realpath(directory)})
