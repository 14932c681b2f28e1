"""The dashboard in a real terminal: its start, its latency, and what it costs while nothing happens."""

from __future__ import annotations

import statistics
import sys
import time

from tests.bench.figures import figure, percentile_95
from tests.bench.processes import cpu_seconds, resident_kib
from tests.bench.room import PEERDECK, BenchRoom, bench_room, now_ms
from tests.terminal.pty_program import PtyProgram

_BARE = [sys.executable, "-m", "tests.bench.bare_textual"]
_BARE_IS_PAINTED = "bare-table-is-painted"
_STARTS = 9
_WRITES = 100
_IDLE_SECONDS = 30
_TICKING_SECONDS = 20
_SETTLE_SECONDS = 3
_SOAK_WARM_UP = 2_000
_SOAK_CHANGES = 20_000


def start_vs_bare_textual() -> None:
    """From exec to the first painted row, in turns with a bare Textual app."""
    with bench_room(8) as room:
        own, bare = [], []
        for _ in range(_STARTS):
            own.append(_start(PEERDECK, "peer-0000", room))
            bare.append(_start(_BARE, _BARE_IS_PAINTED, room))
    median = statistics.median(own)
    figure("start_vs_bare_textual", median * 1000, "ms", ratio=median / statistics.median(bare), goal=1.25)


def _start(command: list[str], painted: str, room: BenchRoom) -> float:
    started = time.monotonic()
    with PtyProgram(command, room.environment) as program:
        return program.wait_for(painted) - started


def write_to_cell() -> None:
    """From the write of a record to its cell on the screen, among 30 peers."""
    with bench_room(30) as room, PtyProgram(PEERDECK, room.environment) as program:
        program.wait_for("peer-0000")
        times = [_write(room, program, number) for number in range(_WRITES)]
    figure("write_to_cell_p95_ms", percentile_95(times) * 1000, "ms", goal=100)


def _write(room: BenchRoom, program: PtyProgram, number: int) -> float:
    time.sleep(0.013 + 0.0007 * number % 0.03)
    name, position = f"cell-{number:05d}", len(program.written)
    started = time.monotonic()
    room.write(room.peers[number % 10].pid, name=name)
    return program.wait_for(name, after=position) - started


def idle_and_memory() -> None:
    """CPU over half a minute with 50 peers, and resident memory beside a bare Textual app's."""
    _idle_and_memory(50, "", idle_goal=0.6)


def ticking_ages() -> None:
    """CPU while the ages of two of 30 peers tick in seconds."""
    with bench_room(30) as room, PtyProgram(PEERDECK, room.environment) as program:
        program.wait_for("peer-0000")
        for peer in room.peers[:2]:
            room.write(peer.pid, status="busy", statusUpdatedAt=now_ms())
        time.sleep(_SETTLE_SECONDS)
        before = cpu_seconds(program.process.pid)
        time.sleep(_TICKING_SECONDS)
        used = cpu_seconds(program.process.pid) - before
    figure("ticking_ages_cpu_percent", used / _TICKING_SECONDS * 100, "%")


def idle_and_memory_1000() -> None:
    """The same with 1,000 peers."""
    _idle_and_memory(1000, "_1000_peers", idle_goal=None)


def _idle_and_memory(peers: int, suffix: str, idle_goal: float | None) -> None:
    with bench_room(peers) as room, PtyProgram(PEERDECK, room.environment) as program:
        program.wait_for("peer-0000")
        with PtyProgram(_BARE, room.environment) as bare:
            bare.wait_for(_BARE_IS_PAINTED)
            time.sleep(_SETTLE_SECONDS)
            over = resident_kib(program.process.pid) - resident_kib(bare.process.pid)
            before, bare_before = cpu_seconds(program.process.pid), cpu_seconds(bare.process.pid)
            time.sleep(_IDLE_SECONDS)
            used = cpu_seconds(program.process.pid) - before
            bare_used = cpu_seconds(bare.process.pid) - bare_before
    figure(f"idle_cpu_percent{suffix}", used / _IDLE_SECONDS * 100, "%", goal=idle_goal)
    figure(f"idle_cpu_percent_bare_textual{suffix}", bare_used / _IDLE_SECONDS * 100, "%")
    figure(f"rss_over_bare_textual_mib{suffix}", over / 1024, "MiB", goal=20)


def soak() -> None:
    """Growth of resident memory over 20,000 changes, after a warm-up."""
    _soak(30, "")


def soak_1000() -> None:
    """The same among 1,000 peers."""
    _soak(1000, "_1000_peers")


def _soak(peers: int, suffix: str) -> None:
    with bench_room(peers) as room, PtyProgram(PEERDECK, room.environment) as program:
        program.wait_for("peer-0000")
        _change(room, program, _SOAK_WARM_UP, "warm")
        before = resident_kib(program.process.pid)
        _change(room, program, _SOAK_CHANGES, "soak")
        growth = resident_kib(program.process.pid) - before
    figure(f"soak_rss_growth_kib{suffix}", growth, "KiB", goal=1024)


def _change(room: BenchRoom, program: PtyProgram, changes: int, word: str) -> None:
    for number in range(changes):
        status = ("busy", "idle", "waiting")[number % 3]
        room.write(room.peers[number % len(room.peers)].pid, status=status, statusUpdatedAt=1_790_000_000_000 + number)
        if number % 20 == 0:
            time.sleep(0.02)  # a steady stream, not one burst that is folded into a single roster
    position = len(program.written)
    room.write(room.peers[0].pid, name=f"{word}-is-over", status="waiting")
    program.wait_for(f"{word}-is-over", after=position)
