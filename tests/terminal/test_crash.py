"""A dashboard that breaks in the middle of its work still leaves the terminal and the system as they were."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import pytest

from tests.terminal.pty_program import DEADLINE, PtyProgram
from tests.terminal.room import LEAVE_ALTERNATE_SCREEN, MOUSE_OFF, SHOW_CURSOR, send

if TYPE_CHECKING:
    from tests.terminal.room import Room

F1: Final = "\x1bOP"
BREAKING: Final = """
import sys
from tui.app import PeerdeckApp
from tui.cli import main

def break_down(_app):
    raise LookupError

PeerdeckApp.action_toggle_help = break_down
sys.exit(main([]))
"""


@pytest.mark.parametrize("sending", [False, True], ids=["idle", "in mid-send"])
def test_a_crash_restores_the_terminal_and_leaves_no_courier(room: Room, sending: bool) -> None:
    with PtyProgram([sys.executable, "-c", BREAKING], os.environ) as program:
        program.wait_for("addressee")
        group = None
        if sending:
            send(program)
            group = room.courier_group()
        program.press(F1)
        for mode in (LEAVE_ALTERNATE_SCREEN, MOUSE_OFF, SHOW_CURSOR):
            program.wait_for(mode)
        assert program.process.wait(DEADLINE) == 1
        program.wait_for("LookupError", after=program.written.find(LEAVE_ALTERNATE_SCREEN))
    if group is not None:
        room.wait_for_empty_group(group)
