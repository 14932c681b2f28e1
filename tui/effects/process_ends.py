"""Told when a process ends: pidfd on Linux, kqueue on macOS. What cannot be told, the heartbeat looks at."""

from __future__ import annotations

import errno
import os
import resource
import sys
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection

    from tui.domain.peers import ProcessSight
    from tui.effects.processes import Processes


_RESERVE: Final = 48
"""Descriptors that are left for everything else."""


class EndTeller(Protocol):
    """Tells when a process ends. Used from one event loop."""

    def arm(self, pid: int) -> bool:
        """Begin to watch a pid; False when that is not possible."""
        ...

    def disarm(self, pid: int) -> None:
        """Stop watching a pid."""
        ...


class PidfdTeller:
    """Linux: a pidfd becomes readable when its process ends, be it reaped or not."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_end: Callable[[int], None]) -> None:
        """Call `on_end` with the pid, in `loop`."""
        self._loop = loop
        self._on_end = on_end
        self._descriptors: dict[int, int] = {}

    def arm(self, pid: int) -> bool:
        """Begin to watch a pid; False when it is gone, or descriptors ran out."""
        try:
            descriptor = _open_pidfd(pid)
        except OSError:
            return False
        self._descriptors[pid] = descriptor
        self._loop.add_reader(descriptor, self._ended, pid)
        return True

    def disarm(self, pid: int) -> None:
        """Stop watching a pid."""
        descriptor = self._descriptors.pop(pid)
        self._loop.remove_reader(descriptor)
        os.close(descriptor)

    def _ended(self, pid: int) -> None:
        self.disarm(pid)
        self._on_end(pid)


def _open_pidfd(pid: int) -> int:
    """Open one, but leave some descriptors for reading records, for couriers and for watches."""
    descriptor = os.pidfd_open(pid)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptor < soft - _RESERVE:
        return descriptor
    if soft < hard:
        # The soft limit of 1,024 is for programs that use select(2); one descriptor a peer can need more.
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


class NoTeller:
    """Neither: every process is looked at by the heartbeat."""

    def arm(self, pid: int) -> bool:  # noqa: ARG002
        """Say that this is not possible."""
        return False

    def disarm(self, pid: int) -> None:
        """Do nothing: nothing is ever armed."""


def system_teller(loop: asyncio.AbstractEventLoop, on_end: Callable[[int], None]) -> EndTeller:
    """Return the way to be told on this system."""
    if sys.platform == "linux":
        return PidfdTeller(loop, on_end)
    if sys.platform == "darwin":
        from tui.effects.kqueue_ends import KqueueTeller  # noqa: PLC0415 - it exists only there

        return KqueueTeller(loop, on_end)
    return NoTeller()


class ToldProcesses:
    """Processes whose end is told: while one is armed, it is what it was, and need not be looked at again."""

    def __init__(
        self,
        processes: Processes,
        make_teller: Callable[[Callable[[int], None]], EndTeller],
        on_end: Callable[[int], None],
    ) -> None:
        """Look through `processes`; call `on_end` when one that is armed has ended."""
        self._processes = processes
        self._teller = make_teller(self._forget)
        self._on_end = on_end
        self._armed: dict[int, ProcessSight] = {}

    def look(self, pid: int) -> ProcessSight:
        """Look at one pid, or repeat what was seen when it was armed."""
        return self._armed.get(pid) or self._processes.look(pid)

    def arm(self, pids: Collection[int]) -> bool:
        """Watch just these pids, which were looked at before; False when some must be looked at instead."""
        for pid in self._armed.keys() - pids:
            del self._armed[pid]
            self._teller.disarm(pid)
        told = [self._arm(pid) for pid in pids if pid not in self._armed]
        return all(told)

    def _arm(self, pid: int) -> bool:
        if not self._teller.arm(pid):
            return False
        # Only what is seen after the arming is certain to be the process whose end will be told.
        sight = self._processes.look(pid)
        if not sight.exists:
            return True  # its end is being told
        self._armed[pid] = sight
        return True

    def _forget(self, pid: int) -> None:
        self._armed.pop(pid, None)
        self._on_end(pid)
