"""Finding the user's `claude`: looked up anew for each run, since updates move it, and links are not followed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tui.domain.delivery import Cause
from tui.domain.text import one_line
from tui.domain.verdict import NotStarted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PATH_CELLS = 200


def find_program(program: str, environment: Mapping[str, str]) -> str | NotStarted:
    """Return the absolute path of `program`, a name on the environment's PATH or a path, or say why there is none."""
    search = environment.get("PATH", os.defpath)
    if found := shutil.which(program, path=search):
        return os.path.abspath(found)  # noqa: PTH100 - the link itself, not what it leads to today
    for candidate in _candidates(program, search):
        if trouble := _trouble(candidate):
            return NotStarted(Cause.PROGRAM_NOT_RUNNABLE, f"{_shown(candidate)} {trouble}.")
    place = "" if os.sep in program else " on PATH"
    return NotStarted(Cause.PROGRAM_NOT_FOUND, f"There is no program `{_shown(program)}`{place}.")


def cannot_start(program: str, error: OSError) -> NotStarted:
    """Put into words why a program that was found could not be started."""
    if isinstance(error, FileNotFoundError) and os.path.exists(program):  # noqa: PTH110 - Path.exists may raise
        reason = "cannot be run: the interpreter that its first line names is missing"
    else:
        reason = f"cannot be run: {error.strerror or error}"
    return NotStarted(Cause.PROGRAM_NOT_RUNNABLE, f"{_shown(program)} {reason}.")


def _candidates(program: str, search: str) -> Iterator[Path]:
    if os.sep in program:
        yield Path(program)
        return
    yield from (Path(folder, program) for folder in search.split(os.pathsep))


def _trouble(candidate: Path) -> str:
    """Say what is wrong with something that is there; empty for what is not there at all."""
    if not os.path.lexists(candidate):
        return ""
    if not os.path.exists(candidate):  # noqa: PTH110 - Path.exists may raise
        return "is a link that leads nowhere"
    return "is a directory" if os.path.isdir(candidate) else "is not executable"  # noqa: PTH112 - as above


def _shown(path: str | Path) -> str:
    return one_line(str(path), _PATH_CELLS)
