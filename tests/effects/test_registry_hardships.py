"""A registry full of what should not be there: crowds, leftovers, pids that are none, and our own."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.building import record_fields, write_record
from tui.domain.peers import Liveness, PidSpace, ProcessSight
from tui.domain.records import FaultReason
from tui.effects.processes import own_pid_space, system_processes
from tui.effects.registry import Registry

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from tui.domain.roster import Roster

    StartProcess = Callable[..., subprocess.Popen[bytes]]


def registry_of(directory: Path) -> Registry:
    return Registry(directory, system_processes(), own_pid_space())


def read(directory: Path) -> Roster:
    return registry_of(directory).read()


def live_record(directory: Path, process: subprocess.Popen[bytes], **changes: object) -> Path:
    return write_record(directory, process.pid, **({"procStart": system_processes().look(process.pid).start} | changes))


def test_no_process_is_ever_sent_a_signal_and_only_a_possible_pid_is_even_asked_for(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start_process()
    live_record(registry, process)
    for at, pid in enumerate((0, -1, -4242, True, 1.5, "41001", 2_147_483_648, 1e30, None, 41002)):
        body = record_fields(41001) | {"pid": pid}
        (registry / f"{43001 + at}.json").write_text(json.dumps(body))
    write_record(registry, 2**22 + 5)
    asked: list[tuple[int, int]] = []
    with monkeypatch.context() as patch:
        patch.setattr(os, "kill", lambda pid, number: asked.append((pid, number)))
        patch.setattr(os, "killpg", None)
        roster = read(registry)
    assert [peer.pid for peer in roster.peers if peer.liveness is Liveness.LIVE] == [process.pid]
    assert sorted({fault.reason for fault in roster.faults}) == [FaultReason.BAD_PID, FaultReason.PID_MISMATCH]
    assert len(roster.faults) == 10
    assert set(asked) == {(2**22 + 5, 0)}


def test_a_record_of_this_very_process_is_no_session_whatever_it_says(registry: Path) -> None:
    own = os.getpid()
    stat = Path("/proc/self/stat")
    true_start = stat.read_text().rpartition(")")[2].split()[19] if stat.exists() else "0"
    for claimed in (true_start, None, "1"):
        write_record(registry, own, procStart=claimed)
        roster = read(registry)
        assert (roster.peers, [peer.liveness for peer in roster.absent]) == ((), [Liveness.REUSED])
    write_record(registry, own, pidDomain="linux:other-host:pid:[4026532999]")
    assert [peer.liveness for peer in read(registry).peers] == [Liveness.ELSEWHERE]


def test_the_first_process_of_the_system_is_judged_by_its_start_like_any_other(registry: Path) -> None:
    write_record(registry, 1, procStart="no number")
    assert [peer.liveness for peer in read(registry).peers] == [Liveness.UNVERIFIED]
    write_record(registry, 1, procStart="987654321987654321")
    assert [peer.liveness for peer in read(registry).absent] == [Liveness.REUSED]


def test_a_start_that_cannot_be_read_is_unverified(registry: Path, start_process: StartProcess) -> None:
    live_record(registry, start_process(), procStart=None)
    assert [peer.liveness for peer in read(registry).peers] == [Liveness.UNVERIFIED]


def test_an_hour_old_file_of_a_process_that_runs_is_live(registry: Path, start_process: StartProcess) -> None:
    path = live_record(registry, start_process(), status="busy")
    os.utime(path, (time.time() - 3 * 3600, time.time() - 3 * 3600))
    (peer,) = read(registry).peers
    assert (peer.liveness, peer.status) == (Liveness.LIVE, "busy")


def test_a_change_is_seen_although_its_file_claims_to_be_of_the_future_or_the_clock_went_back(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, source = start_process(), registry_of(registry)
    ahead = time.time_ns() + 86_400 * 10**9
    for status in ("idle", "busy", "idle"):
        os.utime(live_record(registry, process, status=status), ns=(ahead, ahead))
        assert [peer.status for peer in source.rescan().peers] == [status]
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() - 3600 * 10**9)
    for status in ("busy", "idle"):
        live_record(registry, process, status=status)
        assert [peer.status for peer in source.rescan().peers] == [status]


@pytest.mark.parametrize(
    "path", ["/\x00", "/\ud83d", "/" + "x" * 10_000, "relative", "\\\\.\\pipe\\claude", "/dev/null/x"]
)
def test_an_inbox_that_no_path_can_name_is_not_there(registry: Path, start_process: StartProcess, path: str) -> None:
    live_record(registry, start_process(), messagingSocketPath=path)
    (peer,) = read(registry).peers
    assert not peer.reachable


class Running:
    """Every process runs; looking is counted."""

    looked = 0

    def look(self, pid: int) -> ProcessSight:
        self.looked += 1
        return ProcessSight(exists=pid < 100, start=str(pid * 10))


def test_three_thousand_dead_records_and_their_keys_cost_one_look(
    registry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.dumps(record_fields(7))
    for pid in (7, *range(1000, 4000)):
        (registry / f"{pid}.json").write_text(body.replace('"pid": 7', f'"pid": {pid}'))
        (registry / f"{pid}.{'a' * 64}.key").touch(mode=0)
    hour_ago = time.time() - 3600
    for path in registry.glob("*.json"):
        os.utime(path, (hour_ago, hour_ago))
    processes = Running()
    source = Registry(registry, processes, PidSpace("linux"))
    opened: list[str] = []
    real_open = os.open

    def note(path: str, flags: int) -> int:
        opened.append(path)
        return real_open(path, flags)

    monkeypatch.setattr(os, "open", note)
    began = time.monotonic()
    first = source.rescan()
    assert time.monotonic() - began < 10
    assert ([peer.pid for peer in first.peers], len(first.absent)) == ([7], 3000)
    assert len(opened) == processes.looked == 3001
    assert not [path for path in opened if "key" in path]
    assert source.rescan() == first
    assert len(opened) == 3001
    assert processes.looked == 3002  # the one that lives
