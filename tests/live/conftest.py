"""The live tests run the real `claude`, which `PEERDECK_TEST_CLAUDE` names; without it they are skipped."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

from tests.live.room import Room

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM_VARIABLE: Final = "PEERDECK_TEST_CLAUDE"


@pytest.fixture(scope="session")
def program() -> Path:
    """The real `claude`."""
    if not sys.platform.startswith("linux"):
        cannot_run("the closed room finds its processes in /proc")
    named = os.environ.get(PROGRAM_VARIABLE)
    if not named:
        cannot_run(f"{PROGRAM_VARIABLE} names no claude program")
    found = shutil.which(named)
    if not found:
        cannot_run(f"{PROGRAM_VARIABLE}={named} is no program")
    return Path(found).resolve()


@pytest.fixture(scope="session")
def furnished_room(program: Path) -> Iterator[Room]:
    """The room that most tests share, since a session takes a second to start."""
    with Room(program) as room:
        room.start("alpha")
        room.start("beta", "--permission-mode", "manual")
        room.start("gamma")
        room.start("dave", "--dangerously-skip-permissions")
        yield room


@pytest.fixture
def room(furnished_room: Room) -> Iterator[Room]:
    """That room with a well-behaved model and no settings. Whatever a test does in it, no courier is left behind."""
    residents = set(furnished_room.sessions)
    yield furnished_room
    furnished_room.model.reset()
    furnished_room.settings.unlink(missing_ok=True)
    for guest in set(furnished_room.sessions) - residents:
        furnished_room.end(guest)
    assert furnished_room.strangers() == []
    assert furnished_room.courier_records() == []


def cannot_run(reason: str) -> NoReturn:
    """Skip on a user's machine; in CI, where everything is there, a test that cannot run is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
