"""The standard streams as a verb may count on them, whoever started it."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

_STANDARD = range(3)  # stdin, stdout, stderr


def mend_streams() -> None:
    """Put /dev/null where a stream is closed, and have what the locale cannot spell printed as a question mark.

    Python has None in place of a closed stream, and whatever is opened next gets its number.
    """
    for descriptor in _STANDARD:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - all three until the end
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def complain(line: str) -> None:
    """Write a line to stderr. One that cannot be written is lost: it is no reason to end differently."""
    with suppress(OSError):
        print(line, file=sys.stderr)


def abandon(stream: TextIO) -> None:
    """Let what could not be written go: Python's own flush at the end would complain about it, and fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
