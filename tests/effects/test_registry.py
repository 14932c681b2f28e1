from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from tests.building import record_fields, write_record
from tui.domain.peers import Liveness, PidSpace, ProcessSight
from tui.domain.records import RECORD_BYTES, FaultReason
from tui.domain.roster import RegistryState
from tui.effects.processes import own_pid_space, system_processes
from tui.effects.registry import Registry

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from tui.domain.roster import Roster

    StartProcess = Callable[..., subprocess.Popen[bytes]]


class EveryProcess:
    """Every process exists, and started as the built records say."""

    def look(self, pid: int) -> ProcessSight:
        return ProcessSight(exists=True, start=str(pid * 10))


def read(directory: Path) -> Roster:
    return Registry(directory, system_processes(), own_pid_space()).read()


def read_alive(directory: Path) -> Roster:
    return Registry(directory, EveryProcess(), PidSpace("linux")).read()


def live_record(directory: Path, process: subprocess.Popen[bytes], **changes: object) -> Path:
    start = system_processes().look(process.pid).start
    return write_record(directory, process.pid, **({"procStart": start} | changes))


def test_registry_reports_live_records_and_drops_stale_ones(registry: Path, start_process: StartProcess) -> None:
    live, dead = start_process(), start_process("true")
    dead.wait()
    live_record(registry, live, sessionId="live-session", name="peer-live", status="busy")
    write_record(registry, dead.pid, sessionId="dead-session", name="peer-dead")
    (registry / "bad.json").write_text("{not json")

    roster = read(registry)

    assert [(peer.record.session_id, peer.name, peer.status) for peer in roster.peers] == [
        ("live-session", "peer-live", "busy")
    ]
    assert [(peer.name, peer.liveness) for peer in roster.absent] == [("peer-dead", Liveness.GONE)]
    assert [fault.file for fault in roster.faults] == ["bad.json"]


def test_registry_keeps_live_peers_during_shell_tools_and_unknown_vendor_states(
    registry: Path, start_process: StartProcess
) -> None:
    live_record(registry, start_process(), status="shell")
    live_record(registry, start_process(), status="future-status")
    live_record(registry, start_process(), status=None, statusUpdatedAt=None, entrypoint="sdk-ts")

    assert [(peer.status, peer.record.status) for peer in read(registry).peers] == [
        ("shell", "shell"),
        ("unknown", "future-status"),
        ("unknown", None),
    ]


def test_a_record_whose_pid_another_process_has_now_is_not_live(registry: Path, start_process: StartProcess) -> None:
    process = start_process()
    write_record(registry, process.pid, procStart="1")
    roster = read(registry)
    assert roster.peers == ()
    assert [peer.liveness for peer in roster.absent] == [Liveness.REUSED]


def test_an_unreaped_child_is_not_live(registry: Path, start_process: StartProcess) -> None:
    child = start_process("true")
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    write_record(registry, child.pid, procStart=None)
    assert read(registry).peers == ()


def test_liveness_is_decided_by_pid_and_start_and_never_by_the_process_name(
    registry: Path, start_process: StartProcess
) -> None:
    versioned = start_process("bash", "-c", "exec -a 2.1.278 sleep 600")
    editor = start_process("bash", "-c", "exec -a 'vim notes-about-claude.md' sleep 600")
    live_record(registry, versioned)
    write_record(registry, editor.pid, procStart="1")
    assert [peer.pid for peer in read(registry).peers] == [versioned.pid]


def test_a_record_of_another_machine_or_container_is_shown_as_one_that_cannot_be_checked(registry: Path) -> None:
    for pid, domain in (
        (999_999, "linux:other-host:pid:[4026532999]"),
        (os.getpid(), "linux:other-host:pid:[4026532999]"),
        (999_998, "win32:DESK"),
    ):
        write_record(registry, pid, pidDomain=domain)
    peers = read(registry).peers
    assert {(peer.liveness, peer.reachable) for peer in peers} == {(Liveness.ELSEWHERE, False)}
    assert len(peers) == 3


def test_a_parked_window_and_the_job_that_carries_its_session_on_are_two_rows(
    registry: Path, start_process: StartProcess
) -> None:
    parked, job = start_process(), start_process()
    live_record(registry, parked, status="busy", parkedJobId="ca11ab1e")
    live_record(registry, job, kind="bg", jobId="ca11ab1e", status="idle")
    found = {peer.pid: peer.liveness for peer in read(registry).peers}
    assert found == {parked.pid: Liveness.PARKED, job.pid: Liveness.LIVE}


def test_a_spare_worker_has_no_row(registry: Path, start_process: StartProcess) -> None:
    live_record(registry, start_process(), spare=True)
    roster = read(registry)
    assert (len(roster.peers), [peer.liveness for peer in roster.absent]) == (0, [Liveness.SPARE])


def test_a_record_written_by_another_tool_with_other_types_is_shown_with_what_is_usable(
    registry: Path, start_process: StartProcess
) -> None:
    process = start_process()
    odd = {
        "procStart": 1_790_000_000_000,
        "peerProtocol": "http",
        "peerFeatures": {},
        "pidDomain": str(process.pid),
        "entrypoint": "webconsole",
        "messagingSocketPath": "",
        "status": None,
    }
    write_record(registry, process.pid, **odd)
    (peer,) = read(registry).peers
    assert (peer.liveness, peer.reachable, peer.endpoint) == (Liveness.UNVERIFIED, False, None)


def test_a_peer_is_reachable_while_its_inbox_exists_on_disk(registry: Path, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox.sock"
    inbox.touch()
    write_record(registry, 7, messagingSocketPath=str(inbox))
    write_record(registry, 8, messagingSocketPath=str(tmp_path / "gone.sock"))
    write_record(registry, 9, messagingSocketPath=None)
    assert [peer.reachable for peer in read_alive(registry).peers] == [True, False, False]


def test_an_own_courier_has_no_row_and_is_no_fault(registry: Path) -> None:
    write_record(registry, 7)
    write_record(registry, 8, name="peerdeck", entrypoint="sdk-cli")
    roster = Registry(registry, EveryProcess(), PidSpace("linux"), lambda: {8}).read()
    assert [peer.pid for peer in (*roster.peers, *roster.absent)] == [7]
    assert roster.faults == ()


def test_equal_names_and_equal_session_ids_are_one_row_a_process(registry: Path) -> None:
    for pid in range(1, 6):
        write_record(registry, pid, name="same", sessionId="same")
    assert [peer.pid for peer in read_alive(registry).peers] == [1, 2, 3, 4, 5]


def test_a_missing_directory_an_unreadable_one_and_an_empty_one_are_three_states(registry: Path) -> None:
    assert read(registry).state is RegistryState.READ
    missing = read(registry / "sub")
    assert (missing.state, missing.detail) == (RegistryState.MISSING, "No such file or directory")
    (registry / "file").touch()
    unreadable = read(registry / "file")
    assert (unreadable.state, unreadable.detail) == (RegistryState.UNREADABLE, "Not a directory")
    assert sorted(path.name for path in registry.parent.rglob("*")) == ["file", "sessions"]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_bytes(b"\xff\xfe"), FaultReason.NOT_JSON),
        (lambda path: path.write_text('{"pid":41'), FaultReason.NOT_JSON),
        (lambda path: path.write_bytes(b"x" * 5_000_000), FaultReason.TOO_LARGE),
        (os.mkfifo, FaultReason.NOT_A_FILE),
        (lambda path: path.mkdir(), FaultReason.NOT_A_FILE),
        (lambda path: path.symlink_to("/etc/hostname"), FaultReason.NOT_A_FILE),
        (lambda path: path.symlink_to("nowhere"), FaultReason.NOT_A_FILE),
        (lambda path: path.write_text("[]"), FaultReason.NOT_AN_OBJECT),
    ],
    ids=["binary", "torn", "oversized", "fifo", "directory", "link", "dangling link", "array"],
)
def test_a_bad_file_is_a_named_fault_and_every_good_row_is_there(
    registry: Path, make: Callable[[Path], object], reason: FaultReason
) -> None:
    write_record(registry, 7)
    make(registry / "41009.json")
    roster = read_alive(registry)
    assert [peer.pid for peer in roster.peers] == [7]
    assert [(fault.file, fault.reason) for fault in roster.faults] == [("41009.json", reason)]


def test_only_records_are_opened_among_keys_legacy_and_temporary_files(registry: Path) -> None:
    write_record(registry, 7)
    os.mkfifo(registry / f"7.{'a' * 64}.key")  # a reader that opens it would hang or be noticed
    for number in range(80):
        (registry / f"pid-{number}.json").write_text('{"session_id":"s","cwd":"/x"}')
    for name in ("41001 (conflicted copy).json", "0041001.json", "._41001.json", "41001.json.tmp.9", ".DS_Store"):
        (registry / name).write_bytes(b"\x00\x01")
    roster = read_alive(registry)
    assert [peer.pid for peer in roster.peers] == [7]
    assert {fault.reason for fault in roster.faults} == {FaultReason.NAME}
    assert len(roster.faults) == 83
    assert not any("key" in fault.file or "tmp" in fault.file for fault in roster.faults)


class CountingReads:
    """Counts the record files that are opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        real_open = os.open

        def counting(path: str, flags: int, *rest: int, **named: int) -> int:
            if str(path).endswith(".json"):
                self.names.append(str(path).rpartition("/")[2])
            return real_open(path, flags, *rest, **named)

        monkeypatch.setattr(os, "open", counting)


def settled(path: Path) -> None:
    """Make a file look as if it was written a while ago."""
    os.utime(path, ns=(time.time_ns() - 10**9, time.time_ns() - 10**9))


def test_a_rescan_of_an_unchanged_directory_reads_no_file(registry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for pid in range(1, 51):
        settled(write_record(registry, pid))
    source = Registry(registry, EveryProcess(), PidSpace("linux"))
    first = source.rescan()
    reads = CountingReads(monkeypatch)
    assert source.rescan() == first
    assert reads.names == []
    settled(write_record(registry, 9, status="busy"))
    assert source.rescan() != first
    assert reads.names == ["9.json"]


def test_a_peer_that_did_not_change_is_the_same_object_in_the_next_roster(registry: Path) -> None:
    for pid in (1, 2):
        settled(write_record(registry, pid))
    source = Registry(registry, EveryProcess(), PidSpace("linux"))
    before = source.rescan()
    write_record(registry, 2, status="busy")
    after = source.refresh(["2.json"])
    assert after.peers[0] is before.peers[0]
    assert after.peers[1].status == "busy"


def test_a_write_of_equal_size_within_one_clock_tick_is_not_overlooked(registry: Path) -> None:
    path = write_record(registry, 7, status="idle")
    source = Registry(registry, EveryProcess(), PidSpace("linux"))
    source.rescan()
    status = path.stat()
    write_record(registry, 7, status="busy")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert source.rescan().peers[0].status == "busy"


def test_a_torn_record_keeps_its_old_row_and_becomes_one_fault_after_the_grace(
    registry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_record(registry, 7)
    source = Registry(registry, EveryProcess(), PidSpace("linux"))
    whole = source.rescan()
    path.write_text('{"pid":7,"sess')
    torn = source.refresh(["7.json"])
    assert (torn.peers, torn.faults) == (whole.peers, ())
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 5)
    later = source.rescan()
    assert later.peers == ()
    assert [(fault.file, fault.reason) for fault in later.faults] == [("7.json", FaultReason.NOT_JSON)]
    write_record(registry, 7, status="busy")
    again = source.rescan()
    assert [peer.status for peer in again.peers] == ["busy"]
    assert again.faults == ()


def test_a_record_rewritten_two_hundred_times_never_loses_its_row(registry: Path) -> None:
    path = write_record(registry, 7)
    source = Registry(registry, EveryProcess(), PidSpace("linux"))
    source.rescan()
    body = json.dumps(record_fields(7)).encode()
    for _ in range(200):
        for torn in (b"", body[:60], body):
            path.write_bytes(torn)
            roster = source.refresh(["7.json"])
            assert [peer.pid for peer in roster.peers] == [7]
            assert roster.faults == ()


def test_a_single_look_gives_a_torn_record_one_more_chance(registry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = registry / "7.json"
    path.write_text("")
    monkeypatch.setattr(time, "sleep", lambda _seconds: write_record(registry, 7))
    assert [peer.pid for peer in read_alive(registry).peers] == [7]


def test_a_dead_record_is_not_looked_at_again_until_it_is_written_again(registry: Path) -> None:
    looked: list[int] = []

    class Nobody:
        def look(self, pid: int) -> ProcessSight:
            looked.append(pid)
            return ProcessSight(exists=False)

    for pid in range(1, 4):
        settled(write_record(registry, pid))
    source = Registry(registry, Nobody(), PidSpace("linux"))
    source.rescan()
    source.rescan()
    assert sorted(looked) == [1, 2, 3]
    settled(write_record(registry, 2, status="busy"))
    source.rescan()
    assert sorted(looked) == [1, 2, 2, 3]


def test_times_that_make_no_sense_are_shown_as_unknown_and_the_row_stays(registry: Path) -> None:
    fields = record_fields(7) | {"startedAt": 10**18, "statusUpdatedAt": float("inf")}
    (registry / "7.json").write_text(json.dumps(fields))
    (peer,) = read_alive(registry).peers
    assert (peer.record.started_at, peer.record.status_updated_at) == (None, None)


def test_a_record_larger_than_the_cap_is_read_no_further(registry: Path) -> None:
    (registry / "7.json").write_bytes(b" " * RECORD_BYTES + b"{}")
    assert [fault.reason for fault in read_alive(registry).faults] == [FaultReason.TOO_LARGE]


def test_looking_changes_nothing_in_the_directory(registry: Path) -> None:
    path = write_record(registry, 2**22 + 9)
    (registry / "bad.json").write_text("{")
    before = {entry.name: (entry.stat().st_mtime_ns, entry.stat().st_size) for entry in os.scandir(registry)}
    read(registry)
    assert {entry.name: (entry.stat().st_mtime_ns, entry.stat().st_size) for entry in os.scandir(registry)} == before
    assert path.exists()
