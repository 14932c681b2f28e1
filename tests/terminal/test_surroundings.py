"""The dashboard in terminals of every kind, and beside a courier that would like the keyboard."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.terminal.pty_program import DEADLINE, PtyProgram
from tests.terminal.room import DASHBOARD, send
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.terminal.room import Room


@pytest.mark.parametrize(
    "surroundings",
    [
        ["TERM=dumb", "NO_COLOR=1", "LC_ALL=C", "PYTHONUTF8=0", "PYTHONCOERCECLOCALE=0"],
        ["-u", "TERM", "-u", "HOME", "COLUMNS=-1", "LINES=x"],
    ],
    ids=" ".join,
)
def test_a_poor_terminal_shows_what_there_is_and_is_left_as_it_was(
    room: Room, registry: Path, surroundings: list[str]
) -> None:
    assert room
    command = ["env", *surroundings, *DASHBOARD, "--config-dir", str(registry.parent)]
    with PtyProgram(command, os.environ) as program:
        program.wait_for("addressee")
        program.wait_for("idle")
        program.press("q")
        assert program.process.wait(DEADLINE) == 0
        assert b"Traceback" not in program.written


def test_what_a_killed_peerdeck_left_beside_the_settings_is_gone_soon_after_the_next_start(
    room: Room, registry: Path
) -> None:
    assert room
    left = registry.parent / f".peerdeck-{2**22 + 1}-0123456789abcdef.tmp"
    left.write_text('{"half')
    with PtyProgram(DASHBOARD, os.environ) as program:
        program.wait_for("addressee")
        wait_until(lambda: not left.exists(), "the sweep")
        program.press("q")
        assert program.process.wait(DEADLINE) == 0


def test_a_terminal_of_hardly_any_size_is_no_reason_to_fail(room: Room) -> None:
    assert room
    with PtyProgram(DASHBOARD, os.environ, columns=0, lines=0) as program:
        program.wait_for("\x1b[?1049h")
        program.resize(1, 1)
        program.resize(120, 40)
        program.wait_for("addressee")
        program.press("q")
        assert program.process.wait(DEADLINE) == 0
        assert b"Traceback" not in program.written


GREEDY = """#!/bin/sh
(exec </dev/tty && cat >"{stolen}") 2>/dev/null &
cat >"{stolen}.stdin" &
echo $$ > "{pids}.part"
mv "{pids}.part" "{pids}"
sleep 78
"""


def cpu_seconds(program: PtyProgram) -> float:
    """Return the processor time used so far; none where that cannot be told."""
    stat = Path(f"/proc/{program.process.pid}/stat")
    fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 13
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_courier_takes_no_key_and_waiting_for_it_no_processor(room: Room, tmp_path: Path) -> None:
    stolen = tmp_path / "stolen"
    (tmp_path / "bin" / "claude").write_text(GREEDY.format(stolen=stolen, pids=room.pids))
    with PtyProgram(DASHBOARD, os.environ) as program:
        program.wait_for("addressee")
        send(program)
        group = room.courier_group()
        used, began = cpu_seconds(program), time.monotonic()
        program.wait_for("1s, ")
        assert cpu_seconds(program) - used < (time.monotonic() - began) / 2
        program.press("\x18")  # ctrl+x calls it back
        program.wait_for("UNKNOWN")
        room.wait_for_empty_group(group)
        program.press(" and every key of it\x1b")
        program.resize(100, 30)  # has the whole line painted anew
        program.wait_for("hello and every key of it")
        program.press("\x11")
        assert program.process.wait(DEADLINE) == 0
    assert not stolen.exists() or stolen.read_text() == ""
