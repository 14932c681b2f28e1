"""A regular file as it is at one moment: its bytes, and the traits that a replacement has to keep.

Nothing here can block: what is not a regular file is refused before it is opened, and again once it is open.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

SIZE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes. Settings are a few thousand; what is larger than this is something else."""

_KINDS: Final = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
}


class RefusedFileError(Exception):
    """The file is of a kind that is not read, or that a replacement could not keep."""

    def __init__(self, finding: str, hint: str) -> None:
        super().__init__(finding)
        self.finding = finding
        """What is wrong, as the end of a sentence whose subject is the file's contents: `are not …`."""
        self.hint = hint


class LinkedFileError(Exception):
    """The name is a symbolic link: replacing it would cut the link and leave its target as it was."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.target = target
        """The text of the link, untrusted."""


@dataclass(frozen=True, slots=True)
class FileTraits:
    """What a replacement has to keep."""

    mode: int
    """Kind and permission bits."""
    owner: int
    group: int
    links: int
    """How many names the file has."""
    attributes: tuple[tuple[str, bytes], ...]
    """Extended attributes, access control lists among them."""


@dataclass(frozen=True, slots=True)
class FileSnapshot:
    """The file behind a name, as it was when looked at. Equal snapshots: nothing that matters has changed between."""

    content: bytes
    traits: FileTraits | None
    """None where there is no such file."""


NO_FILE: Final = FileSnapshot(b"", None)


def read_through_links(path: Path) -> bytes:
    """Return the bytes of `path`, links followed; none where there is no file.

    Raises:
        RefusedFileError: not a regular file, or larger than `SIZE_LIMIT`.
        OSError: it cannot be read.
    """
    try:
        with _opened(path, None) as file:
            return _capped(file)
    except FileNotFoundError:
        return b""


def take_snapshot(directory: int, name: str) -> FileSnapshot:
    """Look at the file called `name` in an open directory.

    Raises:
        LinkedFileError: the name is a symbolic link, of whatever target.
        RefusedFileError: not a regular file, or larger than `SIZE_LIMIT`.
        OSError: it cannot be read.
    """
    try:
        with _opened(name, directory) as file:
            return FileSnapshot(_capped(file), _traits(file.fileno()))
    except FileNotFoundError:
        return NO_FILE
    except OSError as error:
        if error.errno == errno.ELOOP:  # O_NOFOLLOW met a link that was not there a moment ago
            raise LinkedFileError(os.readlink(name, dir_fd=directory)) from error
        raise


def read_attributes(descriptor: int) -> dict[str, bytes]:
    """Return the extended attributes of an open file; none where Python or the file system knows of none."""
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(descriptor, name) for name in os.listxattr(descriptor)}
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return {}
        raise


def refuse_oversize(content: bytes) -> None:
    """Make sure that `content` is not beyond what is read.

    Raises:
        RefusedFileError: it is larger than `SIZE_LIMIT`.
    """
    if len(content) > SIZE_LIMIT:
        raise RefusedFileError(f"are larger than {SIZE_LIMIT} bytes", "Look at what has been written into the file.")


@contextmanager
def _opened(path: Path | str, directory: int | None) -> Iterator[BufferedReader]:
    """Open a regular file; with a directory, the name in it must not be a link."""
    follow = directory is None
    flags = os.O_NONBLOCK | os.O_NOCTTY | (0 if follow else os.O_NOFOLLOW)
    status = os.stat(path, dir_fd=directory, follow_symlinks=follow)
    if stat.S_ISLNK(status.st_mode):
        raise LinkedFileError(os.readlink(path, dir_fd=directory))
    _refuse_odd_kind(status)
    with open(path, "rb", opener=lambda name, base: os.open(name, base | flags, dir_fd=directory)) as file:
        _refuse_odd_kind(os.fstat(file.fileno()))
        yield file


def _refuse_odd_kind(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise RefusedFileError(f"are not a regular file but {kind}", "Put a regular file in its place.")


def _capped(file: BufferedReader) -> bytes:
    content = file.read(SIZE_LIMIT + 1)
    refuse_oversize(content)
    return content


def _traits(descriptor: int) -> FileTraits:
    status = os.fstat(descriptor)
    attributes = tuple(sorted(read_attributes(descriptor).items()))
    return FileTraits(status.st_mode, status.st_uid, status.st_gid, status.st_nlink, attributes)
