"""Many live peers: real processes and real records, in a home of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.building import record_fields
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    from collections.abc import Iterator

PEERDECK = [sys.executable, "-m", "tui"]


class BenchRoom:
    """A home with live peers."""

    def __init__(self, root: Path, peers: list[subprocess.Popen[bytes]]) -> None:
        self.root = root
        self.registry = root / ".claude" / "sessions"
        self.peers = peers
        look = system_processes().look
        self._fields: dict[int, dict[str, Any]] = {}
        for number, peer in enumerate(peers):
            self._fields[peer.pid] = record_fields(
                peer.pid,
                procStart=look(peer.pid).start,
                name=f"peer-{number:04d}",
                cwd=f"/home/u/work/project-{number:04d}",
                statusUpdatedAt=now_ms() - 7_200_000,
            )
            self.write(peer.pid)

    @property
    def environment(self) -> dict[str, str]:
        """The environment for programs that run in this home."""
        kept = {key: value for key, value in os.environ.items() if key in {"PATH", "PYTHONPATH", "LANG", "VIRTUAL_ENV"}}
        return kept | {"HOME": str(self.root), "PYTHONPATH": os.getcwd(), "LANG": "C.UTF-8"}  # noqa: PTH109

    def write(self, pid: int, **changes: Any) -> None:
        """Change a peer's record as the real program does: in place."""
        self._fields[pid] |= changes
        (self.registry / f"{pid}.json").write_text(json.dumps(self._fields[pid]))

    def kill(self, number: int) -> int:
        """Kill a peer the hard way; its record stays. Return its pid."""
        peer = self.peers[number]
        peer.kill()
        return peer.pid


@contextmanager
def bench_room(count: int) -> Iterator[BenchRoom]:
    """Start `count` peers, and end them afterwards."""
    root = Path(tempfile.mkdtemp(prefix="peerdeck-bench-"))
    (root / ".claude" / "sessions").mkdir(parents=True)
    peers = [subprocess.Popen(["sleep", "3600"], stdin=subprocess.DEVNULL) for _ in range(count)]
    try:
        yield BenchRoom(root, peers)
    finally:
        for peer in peers:
            peer.kill()
        for peer in peers:
            peer.wait()
        shutil.rmtree(root, ignore_errors=True)


def now_ms() -> int:
    """Return the epoch time in milliseconds."""
    return time.time_ns() // 1_000_000
