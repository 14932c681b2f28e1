"""Whether other users of the machine can write into a directory that is trusted to say who is live."""

from __future__ import annotations

import os
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
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"{directory} can be written by other users, who can make sessions appear here (chmod go-w)"
    return ""
