from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.building import build_peer, build_roster, write_record
from tests.waiting import DEADLINE
from tui.cli.watch import events
from tui.domain.records import FaultReason, RegistryFault
from tui.domain.roster import RegistryState
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    StartProcess = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def watching(registry: Path) -> Iterator[subprocess.Popen[str]]:
    assert registry.is_dir()
    with subprocess.Popen(
        [sys.executable, "-m", "tui", "watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    ) as process:
        yield process
        process.kill()


def next_event(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    signal.setitimer(signal.ITIMER_REAL, DEADLINE)
    event: dict[str, Any] = json.loads(process.stdout.readline())
    signal.setitimer(signal.ITIMER_REAL, 0)
    return event


def test_watch_json_begins_with_the_roster_and_prints_one_object_a_change(
    registry: Path, start_process: StartProcess, request: pytest.FixtureRequest
) -> None:
    process = start_process()
    start = system_processes().look(process.pid).start
    write_record(registry, process.pid, procStart=start, status="idle")
    watching = request.getfixturevalue("watching")

    added = next_event(watching)
    assert (added["event"], added["peer"]["status"]) == ("added", "idle")

    write_record(registry, process.pid, procStart=start, status="busy")
    changed = next_event(watching)
    assert changed["event"] == "changed"
    assert changed["changed"] == {"status": ["idle", "busy"]}

    process.kill()
    removed = next_event(watching)
    assert (removed["event"], removed["peer"]["pid"]) == ("removed", process.pid)

    (registry / f"{process.pid}.json").unlink()
    registry.rmdir()
    trouble = next_event(watching)
    assert (trouble["event"], trouble["reason"]) == ("trouble", "registry_missing")

    watching.send_signal(signal.SIGINT)
    assert watching.wait(DEADLINE) == 130
    assert watching.stderr
    assert watching.stderr.read() == ""


def test_trouble_comes_first_and_its_end_is_told_too() -> None:
    peers = build_roster(build_peer(1))
    missing = build_roster(state=RegistryState.MISSING, detail="No such file or directory")
    gone = events(peers, missing)
    assert [event["event"] for event in gone] == ["trouble", "removed"]
    back = events(missing, peers)
    assert [(event["event"], event.get("reason"), event.get("over")) for event in back] == [
        ("trouble", "registry_missing", True),
        ("added", None, None),
    ]


def test_each_broken_record_and_each_other_trouble_is_told_by_itself() -> None:
    broken = RegistryFault("7.json", FaultReason.NOT_JSON, "not a JSON document")
    legacy = RegistryFault("pid-7.json", FaultReason.NAME, "not named <pid>.json")
    troubled = build_roster(faults=(broken, legacy), watch_trouble="limit", exposure="others can write")
    found = events(build_roster(), troubled)
    assert {(event["reason"], event["over"]) for event in found} == {
        ("not_told", False),
        ("exposed", False),
        ("unusable_record", False),
    }
    assert "7.json: not_json: not a JSON document" in {event["message"] for event in found}
    assert events(troubled, troubled) == []
    assert {event["over"] for event in events(troubled, build_roster())} == {True}


def test_polling_instead_of_being_told_is_said_once() -> None:
    polling = build_roster(watch_trouble="changes are looked for every 1 s: limit")
    assert [event["reason"] for event in events(build_roster(), polling)] == ["not_told"]
    assert events(polling, build_roster(build_peer(1), watch_trouble=polling.watch_trouble))[0]["event"] == "added"
