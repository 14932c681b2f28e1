"""One peerdeck at a time in a config directory. Claude Code takes no lock: against it, only looking again helps."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE: Final = 10.0
"""Seconds to wait for other peerdecks; each holds the lock for some milliseconds."""
_PAUSE: Final = 0.005


@dataclass(frozen=True, slots=True)
class HeldDirectory:
    """An open directory. Work on its entries goes through it, so that they stay in one directory throughout."""

    descriptor: int
    exclusive: bool
    """False where the file system knows no locks."""


@contextmanager
def held_directory(path: Path, patience: float = PATIENCE) -> Iterator[HeldDirectory]:
    """Open a directory and keep other peerdecks out of it until the end.

    Raises:
        BlockingIOError: somebody else has held it for longer than `patience` seconds.
        OSError: it cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield HeldDirectory(descriptor, _lock(descriptor, time.monotonic() + patience))
    finally:
        os.close(descriptor)  # which gives up the lock


def _lock(descriptor: int, deadline: float) -> bool:
    """Take the lock; return False where there is none to take."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise BlockingIOError(errno.EAGAIN, "another program holds the directory's lock") from None
            time.sleep(_PAUSE)
        except OSError:  # NFS and some FUSE file systems
            return False
        else:
            return True
