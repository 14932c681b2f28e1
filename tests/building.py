"""Records, peers and rosters to test with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tui.domain.peers import Liveness, Peer
from tui.domain.records import RegistryRecord, parse_record
from tui.domain.roster import RegistryState, Roster

NOW = 1_796_013_000_000
"""Epoch milliseconds: the moment at which built records are looked at."""

REGISTRY = Path("/home/u/.claude/sessions")


def record_fields(pid: int, **changes: Any) -> dict[str, Any]:
    """Return the JSON body of a normal record, as 2.1.3xx writes it; a change to None leaves the key out."""
    fields: dict[str, Any] = {
        "pid": pid,
        "sessionId": f"00000000-0000-4000-8000-{pid:012d}",
        "cwd": "/home/u/work/proj",
        "startedAt": NOW - 3_600_000,
        "procStart": str(pid * 10),
        "version": "2.1.328",
        "peerProtocol": 1,
        "peerFeatures": ["notify_idle"],
        "kind": "interactive",
        "entrypoint": "cli",
        "messagingSocketPath": f"/run/user/1000/cc-socks/{pid}.sock",
        "name": f"proj-{pid}",
        "nameSource": "derived",
        "status": "idle",
        "statusUpdatedAt": NOW - 60_000,
        "updatedAt": NOW - 60_000,
    }
    return {key: value for key, value in (fields | changes).items() if value is not None}


def build_record(pid: int, **changes: Any) -> RegistryRecord:
    """Return a validated record."""
    record = parse_record(f"{pid}.json", json.dumps(record_fields(pid, **changes)).encode())
    assert isinstance(record, RegistryRecord), record
    return record


def build_peer(pid: int, *, liveness: Liveness = Liveness.LIVE, reachable: bool = True, **changes: Any) -> Peer:
    """Return a peer whose process was found as `liveness` says."""
    return Peer(build_record(pid, **changes), liveness, reachable)


def build_roster(*peers: Peer, state: RegistryState = RegistryState.READ, **changes: Any) -> Roster:
    """Return a roster of these peers, by pid."""
    return Roster(REGISTRY, state, tuple(sorted(peers, key=lambda peer: peer.pid)), **changes)


def write_record(directory: Path, pid: int, **changes: Any) -> Path:
    """Write a record file as the real program does: in place."""
    path = directory / f"{pid}.json"
    path.write_text(json.dumps(record_fields(pid, **changes)))
    return path
