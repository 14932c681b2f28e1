"""The whole registry at one moment, and what changed between two moments."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tui.domain.peers import Peer
    from tui.domain.records import RegistryFault


class RegistryState(StrEnum):
    """Whether the registry directory could be read. Stable spellings."""

    READ = "read"
    MISSING = "registry_missing"
    UNREADABLE = "registry_unreadable"


@dataclass(frozen=True, slots=True)
class Roster:
    """What the registry directory held when it was last looked at."""

    directory: Path
    state: RegistryState
    peers: tuple[Peer, ...] = ()
    """Those that are shown, by pid."""
    absent: tuple[Peer, ...] = ()
    """Records whose session is over, was never one, or whose pid is another's now; by pid."""
    faults: tuple[RegistryFault, ...] = ()
    """Files that are no records, by name."""
    detail: str = ""
    """Why the directory is unreadable, in the system's words."""
    watch_trouble: str = ""
    """Why changes are found by looking instead of being told; empty when all is well."""
    exposure: str = ""
    """Which directory others can write into, and so decide what is shown; empty when there is none."""

    def find(self, pid: int) -> Peer | None:
        """Return the shown peer with this pid."""
        return next((peer for peer in self.peers if peer.pid == pid), None)

    def without_couriers(self) -> Roster:
        """Return it without the couriers, which come and go within seconds and are no one to write to."""
        peers = tuple(peer for peer in self.peers if not peer.is_courier)
        return self if len(peers) == len(self.peers) else replace(self, peers=peers)


@dataclass(frozen=True, slots=True)
class PeerAdded:
    """A peer that the roster before did not show."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerRemoved:
    """A peer that is no longer shown."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerChanged:
    """A peer of which something that is shown changed."""

    before: Peer
    peer: Peer
    changed: dict[str, tuple[Any, Any]] = field(hash=False)
    """By `peer_facts` key: the value before and after."""


_RECORD_FACTS: Final = {
    "pid": "pid",
    "sessionId": "session_id",
    "name": "name",
    "status": "status",
    "waitingFor": "waiting_for",
    "kind": "kind",
    "entrypoint": "entrypoint",
    "cwd": "cwd",
    "version": "version",
    "startedAt": "started_at",
    "statusUpdatedAt": "status_updated_at",
    "procStart": "proc_start",
}


def peer_facts(peer: Peer) -> dict[str, Any]:
    """Return a peer as plain JSON values: the registry's own keys where they exist, then what was found out."""
    facts = {key: getattr(peer.record, attribute) for key, attribute in _RECORD_FACTS.items()}
    endpoint = peer.endpoint
    return facts | {
        "liveness": peer.liveness.value,
        "reachable": peer.reachable,
        "endpoint": endpoint.text if endpoint else None,
    }


def changes(before: Roster | None, after: Roster) -> Iterator[PeerAdded | PeerRemoved | PeerChanged]:
    """Yield what is different, removals first; a peer that is the same object costs one comparison."""
    old = {peer.pid: peer for peer in before.peers} if before else {}
    new = {peer.pid: peer for peer in after.peers}
    for pid, peer in old.items():
        if pid not in new:
            yield PeerRemoved(peer)
    for pid, peer in new.items():
        if pid not in old:
            yield PeerAdded(peer)
        elif peer is not old[pid] and (changed := _changed_facts(old[pid], peer)):
            yield PeerChanged(old[pid], peer, changed)


def _changed_facts(before: Peer, after: Peer) -> dict[str, tuple[Any, Any]]:
    old, new = peer_facts(before), peer_facts(after)
    return {key: (old[key], new[key]) for key in new if old[key] != new[key]}
