"""A peer: a registry record together with what its process was found to be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tui.domain.endpoint import PeerEndpoint

if TYPE_CHECKING:
    from tui.domain.records import RegistryRecord

COURIER_NAME: Final = "peerdeck"
"""The name under which a courier registers; what a receiver sees as the sender."""


class PeerStatus(StrEnum):
    """What a session last said it is doing."""

    WAITING = "waiting"
    """It needs its user; the record's `waitingFor` says what for."""
    BUSY = "busy"
    """A turn runs."""
    SHELL = "shell"
    """The main loop is idle while a background shell runs."""
    IDLE = "idle"
    UNKNOWN = "unknown"
    """It never said, or it said a word of a newer version."""


class Liveness(StrEnum):
    """Whether a record stands for a live session. Stable spellings."""

    LIVE = "live"
    """The process exists, is the one that wrote the record, and holds the session."""
    UNVERIFIED = "unverified"
    """The process exists, but its start cannot be compared with the record's."""
    ELSEWHERE = "elsewhere"
    """The pid belongs to another machine or container and cannot be checked from here."""
    PARKED = "parked"
    """The process is live, but has handed its session to a background job."""
    SPARE = "spare"
    """A pre-warmed worker that holds no session."""
    GONE = "gone"
    """No such process, or only a zombie."""
    REUSED = "reused"
    """Another process has the pid now."""

    @property
    def is_shown(self) -> bool:
        """Whether a peer in this state has a row."""
        return self in _SHOWN

    @property
    def has_process(self) -> bool:
        """Whether a process of this pid space stands behind it, whose end can be told."""
        return self in _SHOWN and self is not Liveness.ELSEWHERE


# A tuple, the most frequent first: hashing an enum member for a set costs ten times the comparison.
_SHOWN: Final = (Liveness.LIVE, Liveness.UNVERIFIED, Liveness.ELSEWHERE, Liveness.PARKED)


@dataclass(frozen=True, slots=True)
class ProcessSight:
    """What one look at a pid found."""

    exists: bool
    """False for a zombie; true for a process of another user."""
    start: str | None = None
    """When it started, in the platform's spelling (see `RegistryRecord.proc_start`); None when it cannot be read."""
    is_ours: bool = False
    """It is the process that looks, which is no session."""


class Place(StrEnum):
    """Where a record's pid counts."""

    HERE = "here"
    ELSEWHERE = "elsewhere"
    UNKNOWN = "unknown"


_SYSTEMS: Final = frozenset({"linux", "darwin", "win32"})
_LINUX_DOMAIN: Final = re.compile(r"linux:(?P<machine>[^:]+):pid:\[(?P<namespace>[0-9]+)\]", re.ASCII)


@dataclass(frozen=True, slots=True)
class PidSpace:
    """The pid space that this program runs in."""

    platform: str
    """`linux` or `darwin`, as `sys.platform` spells them."""
    machines: frozenset[str] = frozenset()
    """Names by which a record may call this machine: its machine-id, its host name."""
    namespace: str | None = None
    """Inode number of the pid namespace, on Linux."""

    def place(self, pid_domain: str | None) -> Place:
        """Say whether a record's `pidDomain` is this pid space. A record without one predates the field."""
        if pid_domain is None:
            return Place.HERE
        if domain := _LINUX_DOMAIN.fullmatch(pid_domain):
            same_machine = not self.machines or domain["machine"] in self.machines
            if self.platform != "linux" or not same_machine:
                return Place.ELSEWHERE
            if self.namespace is None:
                return Place.UNKNOWN
            return Place.HERE if domain["namespace"] == self.namespace else Place.ELSEWHERE
        if pid_domain == "darwin":
            return Place.HERE if self.platform == "darwin" else Place.ELSEWHERE
        system = pid_domain.partition(":")[0]
        # A spelling of this system that is not known here is no reason to call its sessions foreign.
        return Place.ELSEWHERE if system in _SYSTEMS - {self.platform} else Place.UNKNOWN


def judge_liveness(record: RegistryRecord, place: Place, sight: ProcessSight) -> Liveness:
    """Decide what a record stands for, from one look at its process."""
    if place is Place.ELSEWHERE:
        return Liveness.ELSEWHERE
    if not sight.exists:
        return Liveness.GONE if place is Place.HERE else Liveness.ELSEWHERE
    same = same_start(record.proc_start, sight.start)
    if same is False or sight.is_ours:
        return Liveness.REUSED
    if record.spare:
        return Liveness.SPARE
    if record.parked_job_id:
        return Liveness.PARKED
    return Liveness.LIVE if same and place is Place.HERE else Liveness.UNVERIFIED


def same_start(recorded: str | None, seen: str | None) -> bool | None:
    """Compare two process starts; None when they cannot be compared."""
    if not recorded or not seen or recorded.isdigit() != seen.isdigit():
        return None
    return recorded.split() == seen.split()


@dataclass(frozen=True, slots=True)
class Peer:
    """One session of the registry at one moment."""

    record: RegistryRecord
    liveness: Liveness
    reachable: bool
    """Its inbox exists on disk. Says nothing about whether the peer accepts messages."""

    @property
    def pid(self) -> int:
        """The process holding the session; also the peer's key in every table."""
        return self.record.pid

    @property
    def name(self) -> str:
        """The display name as the record has it, untrusted; empty when it has none."""
        return self.record.name or ""

    @property
    def status(self) -> PeerStatus:
        """The reported activity; a word that is not known here is UNKNOWN, and `record.status` has the word."""
        try:
            return PeerStatus(self.record.status or PeerStatus.UNKNOWN)
        except ValueError:
            return PeerStatus.UNKNOWN

    @property
    def is_courier(self) -> bool:
        """Whether this is a courier of another peerdeck: it lives for seconds and is no one to write to."""
        name = self.name
        renamed = name.startswith(f"{COURIER_NAME}-") and self.record.name_source == "collision"
        is_courier_name = name == COURIER_NAME or renamed
        return is_courier_name and self.record.entrypoint == "sdk-cli"

    @property
    def endpoint(self) -> PeerEndpoint | None:
        """The peer's address; None without a name or an inbox."""
        if not self.name or not self.record.messaging_socket_path:
            return None
        return PeerEndpoint.make(self.pid, self.name, self.record.messaging_socket_path)
