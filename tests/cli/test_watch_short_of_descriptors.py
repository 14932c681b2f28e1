from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import IO, TYPE_CHECKING, Any

import pytest

from tests.building import write_record
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PEERS = 60
ULIMIT = 64  # fewer than one descriptor a peer and those of the program itself


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one descriptor tells of all processes")
def test_with_fewer_descriptors_than_peers_every_row_stays_and_every_change_is_told(
    registry: Path, start_process: Callable[..., subprocess.Popen[bytes]]
) -> None:
    peers = [start_process() for _ in range(PEERS)]
    starts = {peer.pid: system_processes().look(peer.pid).start for peer in peers}
    for pid, start in starts.items():
        write_record(registry, pid, procStart=start)
    command = ["bash", "-c", f'ulimit -n {ULIMIT}; exec "$0" -m tui watch --json', sys.executable]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as watching:
        assert watching.stdout
        added = {read_event(watching.stdout)["peer"]["pid"] for _ in range(PEERS)}
        for peer in (peers[0], peers[-1]):  # one with a descriptor of its own, one that none was left for
            write_record(registry, peer.pid, procStart=starts[peer.pid], status="busy")
            changed = read_event(watching.stdout)
            assert (changed["event"], changed["peer"]["pid"]) == ("changed", peer.pid)
            peer.kill()
            removed = read_event(watching.stdout)
            assert (removed["event"], removed["peer"]["pid"]) == ("removed", peer.pid)
        watching.kill()
    assert added == set(starts)


def read_event(lines: IO[bytes]) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(lines.readline())
    return event
