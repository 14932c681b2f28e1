"""The registry directory -> rosters: only changed files are read again, and a bad one is a fault, not a failure."""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tui.domain.peers import Liveness, Peer, Place, ProcessSight, judge_liveness
from tui.domain.records import RECORD_BYTES, RECORD_NAME, FaultReason, RegistryFault, RegistryRecord, parse_record
from tui.domain.roster import RegistryState, Roster

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from pathlib import Path

    from tui.domain.peers import PidSpace
    from tui.effects.processes import Processes

TORN_GRACE: Final = 1.0
"""How long a record that turned unreadable keeps its last good content, in seconds: writers rewrite in place."""

_RETRY_SECONDS: Final = 0.03
_RACY_NS: Final = 20_000_000  # within one tick of a file system's clock, two writes look like one
_SHORTAGE: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""What says nothing about the file: what was known of it stays."""

_OVER: Final = (Liveness.GONE, Liveness.REUSED)
_NO_PROCESS: Final = ProcessSight(exists=False)

_Signature = tuple[int, int, int, int]


@dataclass(slots=True)
class _File:
    """What is known of one record file."""

    content: RegistryRecord | RegistryFault
    signature: _Signature | None
    """None when the next look must read it again."""
    torn_at: float | None = None
    """Monotonic time at which it turned unreadable; `content` is still the last good record."""
    peer: Peer | None = None
    place: Place = Place.UNKNOWN
    sight: ProcessSight | None = None
    """What `peer` was judged from; a process whose end is told gives the same object again."""


class Registry:
    """Reads one registry directory, and remembers what it read so that the next look costs little."""

    def __init__(
        self,
        directory: Path,
        processes: Processes,
        pid_space: PidSpace,
        hidden: Callable[[], Container[int]] = frozenset,
    ) -> None:
        """Look at `directory`; pids in `hidden()` are our own couriers and get no row."""
        self._directory = directory
        self._path = os.fspath(directory)
        self._processes = processes
        self._pid_space = pid_space
        self._hidden = hidden
        self._files: dict[str, _File] = {}
        self._state = RegistryState.READ
        self._detail = ""
        self._strays: tuple[RegistryFault, ...] = ()

    def read(self) -> Roster:
        """Read everything once, for one answer; a torn file is given one more chance."""
        self.rescan()
        if self.has_torn_files:
            time.sleep(_RETRY_SECONDS)
            self.rescan()
        return self._roster(torn_are_faults=True)

    def rescan(self) -> Roster:
        """Look at the whole directory; only files whose signature changed are read."""
        try:
            with os.scandir(self._path) as entries:
                seen = {entry.name: entry for entry in entries if entry.name.endswith(".json")}
        except FileNotFoundError as error:
            return self._closed(RegistryState.MISSING, error)
        except OSError as error:
            if error.errno in _SHORTAGE:
                return self._roster()
            return self._closed(RegistryState.UNREADABLE, error)
        self._state, self._detail = RegistryState.READ, ""
        records = {name for name in seen if RECORD_NAME.fullmatch(name)}
        self._strays = tuple(_stray(name) for name in sorted(seen.keys() - records))
        for name in self._files.keys() - records:
            del self._files[name]
        for name in records:
            self._look(name, seen[name])
        return self._roster()

    def refresh(self, names: Iterable[str], ended: Iterable[int] = ()) -> Roster:
        """Read just these record files again, whatever their signatures say, and look at these pids again."""
        for name in names:
            if RECORD_NAME.fullmatch(name):
                self._read(name)
        for pid in ended:
            file = self._files.get(f"{pid}.json")
            if file and isinstance(file.content, RegistryRecord):
                self._judge(file, file.content)
        return self._roster()

    @property
    def has_torn_files(self) -> bool:
        """Whether a file is being given time to become whole again."""
        return any(file.torn_at is not None for file in self._files.values())

    def _closed(self, state: RegistryState, error: OSError) -> Roster:
        self._files.clear()
        self._strays = ()
        self._state, self._detail = state, error.strerror or str(error)
        return self._roster()

    def _look(self, name: str, entry: os.DirEntry[str]) -> None:
        known = self._files.get(name)
        if known and known.signature is not None:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                status = None
            if status is not None and _signature(status) == known.signature:
                # What is over stays over until its file is written again: a pid that comes back is another process.
                if known.peer is not None and known.peer.liveness not in _OVER:
                    self._judge(known, known.peer.record)
                return
        self._read(name)

    def _read(self, name: str) -> None:
        known = self._files.get(name)
        try:
            content, signature = _read_record(f"{self._path}/{name}", name)
        except FileNotFoundError:
            self._files.pop(name, None)
            return
        if content is None:
            return
        if isinstance(content, RegistryFault) and content.reason is FaultReason.NOT_JSON:
            self._keep_torn(name, content, signature)
            return
        if known and known.content == content:
            content = known.content  # the same object tells everybody that nothing changed
        file = self._files[name] = _File(content, signature, peer=known.peer if known else None)
        if isinstance(content, RegistryRecord):
            file.place = self._pid_space.place(content.pid_domain)
            self._judge(file, content)

    def _keep_torn(self, name: str, fault: RegistryFault, signature: _Signature | None) -> None:
        known = self._files.get(name)
        now = time.monotonic()
        if known is None:
            self._files[name] = _File(fault, None, torn_at=now)
        elif known.torn_at is None and isinstance(known.content, RegistryRecord):
            known.signature, known.torn_at = None, now
            self._judge(known, known.content)
        elif known.torn_at is None or now - known.torn_at >= TORN_GRACE:
            self._files[name] = _File(fault, signature)

    def _judge(self, file: _File, record: RegistryRecord) -> None:
        before = file.peer
        sight = _NO_PROCESS if file.place is Place.ELSEWHERE else self._processes.look(record.pid)
        if before is not None and before.record is record and sight is file.sight:
            liveness = before.liveness
        else:
            liveness = judge_liveness(record, file.place, sight)
            file.sight = sight
        reachable = liveness.has_process and _inbox_exists(record)
        if before is None or (before.record, before.liveness, before.reachable) != (record, liveness, reachable):
            file.peer = Peer(record, liveness, reachable)

    def _roster(self, *, torn_are_faults: bool = False) -> Roster:
        hidden = self._hidden()
        shown: list[Peer] = []
        absent: list[Peer] = []
        faults = list(self._strays)
        for file in self._files.values():
            if isinstance(file.content, RegistryFault):
                if file.torn_at is None or torn_are_faults:
                    faults.append(file.content)
            elif file.peer and file.peer.pid not in hidden:
                (shown if file.peer.liveness.is_shown else absent).append(file.peer)
        return Roster(
            self._directory,
            self._state,
            tuple(sorted(shown, key=_by_pid)),
            tuple(sorted(absent, key=_by_pid)),
            tuple(sorted(faults, key=_by_file)),
            self._detail,
        )


def _by_pid(peer: Peer) -> int:
    return peer.record.pid


def _by_file(fault: RegistryFault) -> str:
    return fault.file


def _signature(status: os.stat_result) -> _Signature:
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


def _read_record(path: str, name: str) -> tuple[RegistryRecord | RegistryFault | None, _Signature | None]:
    """Read at most one record's bytes, never waiting on a FIFO and never following a link; None for a shortage.

    Raises:
        FileNotFoundError: it was removed meanwhile, as at a session's clean exit.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY)
    except FileNotFoundError:
        raise
    except OSError as error:
        return None if error.errno in _SHORTAGE else _unreadable(name, error), None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return RegistryFault(name, FaultReason.NOT_A_FILE, "not a regular file"), None
        data = os.read(descriptor, RECORD_BYTES + 1)
    except OSError as error:
        return _unreadable(name, error), None
    finally:
        os.close(descriptor)
    is_racy = time.time_ns() - status.st_mtime_ns < _RACY_NS
    return parse_record(name, data), None if is_racy else _signature(status)


def _unreadable(name: str, error: OSError) -> RegistryFault:
    if error.errno in {errno.ELOOP, errno.ENXIO}:
        return RegistryFault(name, FaultReason.NOT_A_FILE, "a link or a device, not a regular file")
    return RegistryFault(name, FaultReason.UNREADABLE, error.strerror or str(error))


def _stray(name: str) -> RegistryFault:
    return RegistryFault(name, FaultReason.NAME, "not named <pid>.json")


def _inbox_exists(record: RegistryRecord) -> bool:
    path = record.messaging_socket_path
    try:
        # `access` answers without raising, which for a thousand inboxes is most of what a look costs.
        return path is not None and path.startswith("/") and os.access(path, os.F_OK)
    except ValueError:  # a NUL or half an emoji, which no path has
        return False
