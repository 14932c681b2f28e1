"""A program in a real terminal: a pty of its own, as the leader of its own session."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import time
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping, Sequence
    from pathlib import Path

DEADLINE: Final = 20.0
"""Seconds that only a failure reaches."""


class PtyProgram:
    """Runs a program in a pty and keeps every byte that it writes."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        columns: int = 120,
        lines: int = 40,
        controlling: bool = True,
        directory: Path | None = None,
    ) -> None:
        """Start it, in `directory` or else here; without `controlling`, the end of the terminal sends it no signal."""
        self._master, slave = pty.openpty()
        self.resize(columns, lines)
        self.process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
            start_new_session=True,
            preexec_fn=_take_terminal if controlling else None,  # noqa: PLW1509 - one system call, and no other way in Python
        )
        os.close(slave)
        self._written = bytearray()
        self._grown = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.hang_up()

    @property
    def written(self) -> bytes:
        """All that the program has written so far."""
        with self._grown:
            return bytes(self._written)

    def wait_for(self, text: str | bytes, *, after: int = 0) -> float:
        """Wait until the program has written `text` at or behind position `after`; return the monotonic time."""
        wanted = text.encode() if isinstance(text, str) else text
        end = time.monotonic() + DEADLINE
        with self._grown:
            searched = after
            while self._written.find(wanted, searched) < 0:
                searched = max(after, len(self._written) - len(wanted))
                left = end - time.monotonic()
                assert left > 0, f"{wanted!r} was not written; the last bytes are {bytes(self._written[-2000:])!r}"
                self._grown.wait(left)
        return time.monotonic()

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def paste(self, text: str) -> None:
        """Paste, so that the text arrives and is painted as one piece."""
        self.press(f"\x1b[200~{text}\x1b[201~")

    def resize(self, columns: int, lines: int) -> None:
        """Make the terminal this large."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program alone."""
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Close the terminal, as a window that is closed does."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _read(self) -> None:
        while True:
            try:
                chunk = os.read(self._master, 65536)
            except OSError:
                return
            if not chunk:
                return
            with self._grown:
                self._written += chunk
                self._grown.notify_all()


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
