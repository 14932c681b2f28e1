"""Files that are written beside another one to take its place, and what a killed peerdeck leaves of them."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# Other programs look for settings*.json; this must never be one of them.
_NAME: Final = re.compile(r"\.peerdeck-([1-9][0-9]{0,9})-[0-9a-f]{16}\.tmp", re.ASCII)


@contextmanager
def temporary_file(directory: int) -> Iterator[tuple[int, str]]:
    """Create an empty file that only its owner can read; yield its descriptor and name.

    It is removed at the end, unless it has been renamed by then.
    """
    name = f".peerdeck-{os.getpid()}-{os.urandom(8).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    descriptor = os.open(name, flags, 0o600, dir_fd=directory)
    try:
        yield descriptor, name
    finally:
        with suppress(OSError):  # renamed; or the next sweep will find it
            os.unlink(name, dir_fd=directory)
        os.close(descriptor)


def remove_stale(directory: int) -> None:
    """Remove the temporary files of peerdecks that are gone. The caller holds the directory's lock.

    A file that cannot be removed stays: it harms nobody, and what the caller is about to do matters more.
    """
    with suppress(OSError), os.scandir(directory) as entries:
        for name in [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]:
            found = _NAME.fullmatch(name)
            if found and _is_gone(int(found[1])):
                os.unlink(name, dir_fd=directory)


def _is_gone(pid: int) -> bool:
    """Tell whether no other process has this pid; ours does not count, since whoever holds the lock is not writing."""
    if pid == os.getpid():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):  # another user's process; no pid at all
        return False
    return False
