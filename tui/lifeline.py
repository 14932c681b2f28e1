"""What ends the program from outside: signals, and a terminal that is gone.

Textual 8.2.8 restores the terminal on exit, on a crash and on SIGINT, but not on SIGTERM and SIGHUP; and its input
thread spins at the end of its input.
"""

from __future__ import annotations

import errno
import signal
import termios
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

END_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_SIGNAL_EXIT: Final = 128
"""What a shell adds to a signal's number for the exit code of the program that it ended."""
HUNG_UP_EXIT: Final = _SIGNAL_EXIT + signal.SIGHUP
"""The exit code when the terminal is gone."""

_HUNG_UP: Final = frozenset({errno.EIO, errno.ENXIO})


def on_end_signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> None:
    """Call `end` with the exit code for whichever signal asks the program to end."""
    for number in END_SIGNALS:
        loop.add_signal_handler(number, end, _SIGNAL_EXIT + number)


def forget_end_signals(loop: asyncio.AbstractEventLoop) -> None:
    """Undo `on_end_signals`."""
    for number in END_SIGNALS:
        loop.remove_signal_handler(number)


def is_hung_up(descriptor: int) -> bool:
    """Whether the terminal on this file descriptor is gone. False for what never was a terminal."""
    try:
        termios.tcgetattr(descriptor)
    except termios.error as error:
        return error.args[0] in _HUNG_UP
    return False
