"""Fixtures for the dashboard in a real terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.building import write_record
from tests.terminal.pty_program import PtyProgram
from tests.terminal.room import DASHBOARD, STUB_COURIER, Room
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def room(
    registry: Path,
    tmp_path: Path,
    start_process: Callable[..., subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> Room:
    process = start_process()
    inbox = tmp_path / "inbox.sock"
    inbox.touch()
    start = system_processes().look(process.pid).start
    write_record(registry, process.pid, procStart=start, name="addressee", messagingSocketPath=str(inbox))
    room = Room(tmp_path / "courier-pids")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "claude").write_text(STUB_COURIER.format(pids=room.pids))
    (programs / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return room


@pytest.fixture
def dashboard(room: Room) -> Iterator[PtyProgram]:
    assert room
    with PtyProgram(DASHBOARD, os.environ) as program:
        program.wait_for("addressee")
        yield program
