"""From what happens in the registry to its line in `peerdeck watch --json`."""

from __future__ import annotations

import subprocess
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from tests.bench.figures import figure, percentile_95
from tests.bench.room import PEERDECK, BenchRoom, bench_room

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITES = 200
_KILLS = 40


def write_to_line() -> None:
    """Among 100 peers."""
    _measure(100, "")


def write_to_line_1000() -> None:
    """Among 1,000 peers."""
    _measure(1000, "_1000_peers")


def _measure(peers: int, suffix: str) -> None:
    with bench_room(peers) as room, _watching(room) as lines:
        for _ in range(peers):
            lines.readline()
        writes = [_write(room, lines, number) for number in range(_WRITES)]
        figure(f"write_to_line_p95_ms{suffix}", percentile_95(writes) * 1000, "ms", goal=60)
        kills = [_kill(room, lines, number) for number in range(_KILLS)]
        figure(f"kill_to_line_p95_ms{suffix}", percentile_95(kills) * 1000, "ms", goal=50)


@contextmanager
def _watching(room: BenchRoom) -> Iterator[IO[bytes]]:
    command = [*PEERDECK, "watch", "--json"]
    with subprocess.Popen(command, env=room.environment, stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield process.stdout
        process.terminate()


def _write(room: BenchRoom, lines: IO[bytes], number: int) -> float:
    pid = room.peers[-1 - number % 50].pid
    time.sleep(0.013 + 0.0007 * number % 0.03)  # at no fixed distance from the watcher's own steps
    started = time.perf_counter()
    room.write(pid, status="busy" if number // 50 % 2 else "waiting")
    lines.readline()
    return time.perf_counter() - started


def _kill(room: BenchRoom, lines: IO[bytes], number: int) -> float:
    started = time.perf_counter()
    room.kill(number)
    lines.readline()
    return time.perf_counter() - started
