"""Told when a process ends, on macOS."""

from __future__ import annotations

import select
import sys
from typing import TYPE_CHECKING

assert sys.platform != "linux"  # noqa: S101 - lets the type checker know which system this file is for

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class KqueueTeller:
    """macOS: one kqueue reports the exit of any number of processes."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_end: Callable[[int], None]) -> None:
        """Call `on_end` with the pid, in `loop`."""
        self._on_end = on_end
        self._armed: set[int] = set()
        self._queue = select.kqueue()
        loop.add_reader(self._queue.fileno(), self._drain)

    def arm(self, pid: int) -> bool:
        """Begin to watch a pid; False when it is gone."""
        try:
            self._change(pid, select.KQ_EV_ADD | select.KQ_EV_ONESHOT)
        except OSError:
            return False
        self._armed.add(pid)
        return True

    def disarm(self, pid: int) -> None:
        """Stop watching a pid."""
        self._armed.discard(pid)
        try:
            self._change(pid, select.KQ_EV_DELETE)
        except OSError:
            return  # it ended meanwhile, and its one event is spent

    def _change(self, pid: int, flags: int) -> None:
        event = select.kevent(pid, select.KQ_FILTER_PROC, flags, select.KQ_NOTE_EXIT)
        self._queue.control([event], 0, 0)

    def _drain(self) -> None:
        for event in self._queue.control([], 64, 0):
            if event.ident in self._armed:
                self._armed.discard(event.ident)
                self._on_end(event.ident)
