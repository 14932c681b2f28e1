"""How the dashboard ends, in a real terminal: idle, and while a courier is on its way."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.terminal.pty_program import DEADLINE, PtyProgram
from tests.terminal.room import DASHBOARD, LEAVE_ALTERNATE_SCREEN, MOUSE_OFF, SHOW_CURSOR, Room, send
from tests.waiting import wait_until
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    from collections.abc import Callable


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
    with suppress(ProcessLookupError):
        os.killpg(courier, signal.SIGKILL)  # the signal reaches the courier itself and not its children
