"""Reading a thousand records, and looking again when one of them changed."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from typing import TYPE_CHECKING

from tests.bench.figures import figure
from tests.bench.room import BenchRoom, bench_room
from tui.effects.process_ends import ToldProcesses, system_teller
from tui.effects.processes import own_pid_space, system_processes
from tui.effects.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

_PEERS = 1000
_RUNS = 15


def scan_1000() -> None:
    """Compare a full read with the rescan that the dashboard does after one change, every process told."""
    with bench_room(_PEERS) as room:
        full, again = asyncio.run(_measure(room))
    figure("scan_1000", full * 1000, "ms")
    figure("rescan_1000_one_changed", again * 1000, "ms", ratio=again / full, goal=0.1)


async def _measure(room: BenchRoom) -> tuple[float, float]:
    loop = asyncio.get_running_loop()
    processes, space = system_processes(), own_pid_space()
    fulls = [_timed(Registry(room.registry, processes, space).rescan) for _ in range(_RUNS)]
    told = ToldProcesses(processes, lambda on_end: system_teller(loop, on_end), lambda _pid: None)
    registry = Registry(room.registry, told, space)
    for peer in room.peers:
        path = room.registry / f"{peer.pid}.json"
        os.utime(path, (time.time() - 60, time.time() - 60))
    roster = registry.rescan()
    assert len(roster.peers) == _PEERS
    told.arm({peer.pid for peer in roster.peers})
    rescans = []
    for run in range(_RUNS):
        room.write(room.peers[run].pid, status="busy")
        rescans.append(_timed(registry.rescan))
    told.arm(())
    return statistics.median(fulls), statistics.median(rescans)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
