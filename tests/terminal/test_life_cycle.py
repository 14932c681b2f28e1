"""How the dashboard ends, in a real terminal: idle, and while a courier is on its way."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.building import write_record
from tests.terminal.pty_program import DEADLINE, PtyProgram
from tests.waiting import wait_until
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path

DASHBOARD = [sys.executable, "-m", "tui"]
LEAVE_ALTERNATE_SCREEN, MOUSE_OFF, SHOW_CURSOR = b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?25h"
STUB_COURIER = """#!/bin/sh
cat > /dev/null &
sleep 77 &
echo $$ > "{pids}.part"
mv "{pids}.part" "{pids}"
sleep 78
"""


@dataclass
class Room:
    """One live peer that can be written to, and a courier that does nothing for a long time."""

    pids: Path

    def courier_group(self) -> int:
        return int(wait_until(lambda: self.pids.exists() and self.pids.read_text()) or 0)

    def wait_for_empty_group(self, group: int) -> None:
        """Orphans are reaped by the system's first process, which may take its time."""

        def is_empty() -> bool:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return True
            return False

        wait_until(is_empty, "the end of the courier's whole group")


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


def send(program: PtyProgram) -> None:
    program.press("\r")
    program.wait_for("Write, then")
    program.paste("hello")
    program.wait_for("hello")
    program.press("\x13")


def end_by_key(program: PtyProgram) -> None:
    program.press("\x11")


def end_by(number: signal.Signals) -> Callable[[PtyProgram], None]:
    return lambda program: program.signal(number)


ENDINGS = [
    pytest.param(end_by_key, 0, id="ctrl+q"),
    pytest.param(end_by(signal.SIGTERM), 128 + signal.SIGTERM, id="SIGTERM"),
    pytest.param(end_by(signal.SIGHUP), 128 + signal.SIGHUP, id="SIGHUP"),
    pytest.param(end_by(signal.SIGINT), 128 + signal.SIGINT, id="SIGINT"),
]


@pytest.mark.parametrize(("end", "code"), ENDINGS)
def test_an_idle_dashboard_restores_the_terminal_however_it_is_ended(
    dashboard: PtyProgram, end: Callable[[PtyProgram], None], code: int
) -> None:
    end(dashboard)
    for mode in (LEAVE_ALTERNATE_SCREEN, MOUSE_OFF, SHOW_CURSOR):
        dashboard.wait_for(mode)
    assert dashboard.process.wait(DEADLINE) == code
    assert b"Traceback" not in dashboard.written


@pytest.mark.parametrize(("end", "code"), ENDINGS)
def test_no_process_of_a_courier_is_left_when_the_dashboard_is_ended_in_mid_send(
    room: Room, dashboard: PtyProgram, end: Callable[[PtyProgram], None], code: int
) -> None:
    send(dashboard)
    group = room.courier_group()
    end(dashboard)
    dashboard.wait_for(LEAVE_ALTERNATE_SCREEN)
    assert dashboard.process.wait(DEADLINE) == code
    room.wait_for_empty_group(group)


@pytest.mark.parametrize("sending", [False, True], ids=["idle", "in mid-send"])
def test_a_closed_terminal_ends_the_dashboard_and_its_courier(room: Room, dashboard: PtyProgram, sending: bool) -> None:
    group = None
    if sending:
        send(dashboard)
        group = room.courier_group()
    dashboard.hang_up()
    assert dashboard.process.wait(DEADLINE) != 0
    if group is not None:
        room.wait_for_empty_group(group)


def test_a_terminal_that_goes_away_without_a_signal_ends_the_dashboard(room: Room) -> None:
    assert room
    with PtyProgram(DASHBOARD, os.environ, controlling=False) as program:
        program.wait_for("addressee")
        program.hang_up()
        assert program.process.wait(DEADLINE) != 0


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_a_courier_does_not_outlive_a_dashboard_that_was_killed(room: Room, dashboard: PtyProgram) -> None:
    send(dashboard)
    courier = room.courier_group()
    dashboard.process.kill()
    wait_until(lambda: not system_processes().look(courier).exists, "the end of the courier")
