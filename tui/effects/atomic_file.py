"""Replace a file as a whole: whoever looks, at any moment and after any crash, finds the old bytes or the new.

The new file is written beside the old one, forced to the disk, and renamed over it. Between the last look at the old
file and the rename lies a window of some microseconds in which another program's write would be lost; no portable
system call closes it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import Final

from tui.effects.file_snapshot import (
    FileSnapshot,
    FileTraits,
    LinkedFileError,
    RefusedFileError,
    read_attributes,
    take_snapshot,
)
from tui.effects.temporary_file import temporary_file

NEW_FILE_MODE: Final = 0o600
"""Settings may hold secrets; whatever the umask says, a new file is its owner's alone."""

_ACCESS_LIST: Final = "system.posix_acl_access"
_MUST_KEEP: Final = ("user.", _ACCESS_LIST)
"""The attributes that are the user's. Others, such as security.selinux, are the system's to give."""
_NOT_PERMITTED: Final = frozenset({errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOTSUP})


class ChangedFileError(Exception):
    """Another program has changed the file since it was looked at; it is as that program left it."""

    def __init__(self, target: str | None = None) -> None:
        super().__init__(target)
        self.target = target
        """Where it leads, untrusted, if it has become a symbolic link."""


def replace_file(directory: int, name: str, seen: FileSnapshot, content: bytes) -> None:
    """Give the file that was `seen` in an open directory another content, its traits kept.

    Raises:
        RefusedFileError: it is read-only, has another name, or has traits that this user cannot keep.
        ChangedFileError: it is no longer as it was seen.
        OSError: the system refused. The file is as it was, unless the error says otherwise.
    """
    _refuse_protected(seen.traits)
    with temporary_file(directory) as (descriptor, temporary):
        _write_whole(descriptor, content)
        _keep_traits(descriptor, seen.traits)
        os.fsync(descriptor)
        _refuse_changed(directory, name, seen)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    _confirm_replacement(directory)


def _refuse_protected(traits: FileTraits | None) -> None:
    if traits is None:
        return
    if not traits.mode & stat.S_IWUSR:
        mode = stat.S_IMODE(traits.mode)
        raise RefusedFileError(f"are read-only (mode {mode:04o})", "If that is not on purpose: chmod u+w.")
    if traits.links > 1:
        finding = f"have {traits.links} names (hard links), and the others would keep the old text"
        raise RefusedFileError(finding, "Remove the other names, or change the file by hand.")


def _write_whole(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        written = os.write(descriptor, rest)
        if written <= 0:
            break
        rest = rest[written:]
    if os.fstat(descriptor).st_size != len(content):
        raise OSError(errno.EIO, "the new file came out with another size")


def _keep_traits(descriptor: int, traits: FileTraits | None) -> None:
    """Owner first, since a change of owner clears mode bits; then attributes, since an access list sets some."""
    if traits is not None:
        _keep_owner(descriptor, traits)
        _keep_attributes(descriptor, dict(traits.attributes))
    os.fchmod(descriptor, NEW_FILE_MODE if traits is None else stat.S_IMODE(traits.mode))


def _keep_owner(descriptor: int, traits: FileTraits) -> None:
    status = os.fstat(descriptor)
    if (status.st_uid, status.st_gid) == (traits.owner, traits.group):
        return
    try:
        os.fchown(descriptor, traits.owner, traits.group)
    except OSError as error:
        if error.errno in _NOT_PERMITTED:
            finding = f"belong to user {traits.owner} and group {traits.group}, which this user cannot keep"
            raise RefusedFileError(finding, "Change the file as its owner, or by hand.") from error
        raise


def _keep_attributes(descriptor: int, wanted: dict[str, bytes]) -> None:
    if sys.platform != "linux":
        return
    present = read_attributes(descriptor)
    if _ACCESS_LIST in present.keys() - wanted.keys():  # inherited from the directory's default list
        os.removexattr(descriptor, _ACCESS_LIST)
    for attribute, value in wanted.items():
        if present.get(attribute) != value:
            _keep_attribute(descriptor, attribute, value)


def _keep_attribute(descriptor: int, attribute: str, value: bytes) -> None:
    if sys.platform != "linux":
        return
    try:
        os.setxattr(descriptor, attribute, value)
    except OSError as error:
        if error.errno not in _NOT_PERMITTED:
            raise
        if attribute.startswith(_MUST_KEEP):
            finding = f"have the extended attribute {attribute}, which cannot be kept"
            raise RefusedFileError(finding, "Remove the attribute, or change the file by hand.") from error


def _refuse_changed(directory: int, name: str, seen: FileSnapshot) -> None:
    try:
        now = take_snapshot(directory, name)
    except LinkedFileError as error:
        raise ChangedFileError(error.target) from error
    except RefusedFileError as error:
        raise ChangedFileError from error
    if now != seen:
        raise ChangedFileError


def _confirm_replacement(directory: int) -> None:
    try:
        os.fsync(directory)
    except OSError as error:
        if error.errno in {errno.EINVAL, errno.ENOTSUP}:  # a file system that has nothing to do here
            return
        reason = f"the change is in place, but the disk did not confirm it: {error.strerror}"
        raise OSError(error.errno, reason) from error
