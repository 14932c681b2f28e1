"""One live session, a courier that takes its time, and how the dashboard writes to it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.pty_program import PtyProgram

DASHBOARD: Final = [sys.executable, "-m", "tui"]
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


def send(program: PtyProgram) -> None:
    """Write to the peer under the cursor and send it."""
    program.press("\r")
    program.wait_for("Write, then")
    program.paste("hello")
    program.wait_for("hello")
    program.press("\x13")
