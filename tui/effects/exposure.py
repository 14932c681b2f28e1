"""Whether other users of the machine can write into a directory that is trusted to say who is live."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def exposure(directories: Iterable[Path]) -> str:
    """Return a sentence about the first directory that others can write into; empty when there is none."""
    for directory in directories:
        try:
            status = directory.stat()
        except OSError:
            continue
        if status.st_uid not in {os.geteuid(), 0}:
            return f"{directory} belongs to another user, who decides what is shown here"
        if status.st_mode & stat.S_IWOTH or (status.st_mode & stat.S_IWGRP and not _is_private(status.st_gid)):
            return f"{directory} can be written by other users, who can make sessions appear here (chmod go-w)"
    return ""


def _is_private(group: int) -> bool:
    """Whether a group is the user's own and nobody else's, as many systems set it up together with a umask of 002."""
    try:
        user, entry = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return entry.gr_name == user.pw_name and not set(entry.gr_mem) - {user.pw_name}
