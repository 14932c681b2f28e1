"""What ends the program from outside: signals, and a terminal that is gone.

Textual 8.2.8 restores the terminal on exit, on a crash and on SIGINT, but not on SIGTERM and SIGHUP; and its input
thread spins at the end of its input.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import sys
import termios
from typing import TYPE_CHECKING, Final

from tui.domain.ports import HUNG_UP_EXIT

if TYPE_CHECKING:
    from collections.abc import Callable

CHECK_SECONDS: Final = 1.0
"""The pause between two looks whether the terminal is still there."""

_END_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_SIGNAL_EXIT: Final = 128  # what a shell adds to a signal's number for the exit code of the program that it ended
_HUNG_UP: Final = frozenset({errno.EIO, errno.ENXIO})


class TerminalLifeline:
    """The signals that ask this process to end, and the terminal on its stdin. See `tui.domain.ports.Lifeline`."""

    def __init__(self) -> None:
        """Watch nothing yet."""
        self._check: asyncio.TimerHandle | None = None

    def watch(self, on_end: Callable[[int], None]) -> None:
        """Call `on_end` with the exit code, in the running event loop."""
        loop = asyncio.get_running_loop()
        for number in _END_SIGNALS:
            loop.add_signal_handler(number, on_end, _SIGNAL_EXIT + number)
        self._look(loop, on_end)

    def close(self) -> None:
        """Stop watching."""
        loop = asyncio.get_running_loop()
        for number in _END_SIGNALS:
            loop.remove_signal_handler(number)
        if self._check:
            self._check.cancel()

    def _look(self, loop: asyncio.AbstractEventLoop, on_end: Callable[[int], None]) -> None:
        if sys.__stdin__ is not None and _is_hung_up(sys.__stdin__.fileno()):
            on_end(HUNG_UP_EXIT)
        else:
            self._check = loop.call_later(CHECK_SECONDS, self._look, loop, on_end)


def _is_hung_up(descriptor: int) -> bool:
    """Whether the terminal on this file descriptor is gone. False for what never was a terminal."""
    try:
        termios.tcgetattr(descriptor)
    except termios.error as error:
        return error.args[0] in _HUNG_UP
    return False
