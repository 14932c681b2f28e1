"""`peerdeck list --json` beside the vendor's own listing, on the same registry."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time
from typing import TYPE_CHECKING

from tests.bench.figures import figure
from tests.bench.room import PEERDECK, bench_room

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_RUNS = 15


def list_vs_agents() -> None:
    """Time both in turns; without the real program there is nothing to compare with."""
    claude = os.environ.get("PEERDECK_TEST_CLAUDE") or shutil.which("claude")
    with bench_room(8) as room:
        commands = {"list": [*PEERDECK, "list", "--json"]}
        if claude:
            commands["agents"] = [claude, "agents", "--json"]
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(_RUNS):
            for name, command in commands.items():
                times[name].append(_wall(command, room.environment))
        medians = {name: statistics.median(values) for name, values in times.items()}
        ratio = medians["list"] / medians["agents"] if claude else None
        figure("list_vs_agents", medians["list"] * 1000, "ms", ratio=ratio, goal=0.5)


def _wall(command: Sequence[str], environment: Mapping[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return time.perf_counter() - started
