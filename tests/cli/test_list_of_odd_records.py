"""`peerdeck list` among records of every kind: each good one is a row, each bad one a line, and nothing breaks."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.building import record_fields
from tests.cli.running import peerdeck
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    AddRecord = Callable[..., int]

HOUR: Final = 3_600_000


@pytest.fixture
def add(registry: Path, start_process: Callable[..., subprocess.Popen[bytes]]) -> AddRecord:
    """Write the record of a process that runs; return its pid."""

    def add(**changes: Any) -> int:
        pid = start_process().pid
        body = record_fields(pid, procStart=system_processes().look(pid).start) | changes
        (registry / f"{pid}.json").write_text(json.dumps(body))
        return pid

    return add


def now() -> int:
    return time.time_ns() // 1_000_000


def rows(*arguments: str) -> dict[str, str]:
    """Return the lines of `list` by the name in them; names here have no spaces."""
    done = peerdeck("list", *arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    heading, *lines = done.stdout.splitlines()
    at = heading.index("NAME")
    return {line[at:].split()[0]: line for line in lines}


def listed() -> dict[int, dict[str, Any]]:
    done = peerdeck("list", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return {row["pid"]: row for row in json.loads(done.stdout)}


def test_a_parked_window_is_never_shown_as_busy_and_stands_last_beside_the_job_that_carries_on(add: AddRecord) -> None:
    window = add(name="w", status="busy", parkedJobId="ca11ab1e", statusUpdatedAt=now() - 30 * HOUR)
    job = add(name="j", kind="bg", jobId="ca11ab1e", statusUpdatedAt=now() - 29 * HOUR)
    wedged = add(name="b", status="busy", statusUpdatedAt=now() - 50 * HOUR)
    assert list(rows()) == ["b", "j", "w"]
    assert rows()["w"].split()[:3] == ["◇", "parked", "30h"]
    assert rows()["j"].split()[:4] == ["○", "idle,", "unreachable", "29h"]
    assert rows()["b"].split()[:4] == ["●", "busy,", "unreachable", "2d"]
    assert {pid: row["liveness"] for pid, row in listed().items()} == {window: "parked", job: "live", wedged: "live"}


def test_a_long_turn_stays_live_and_busy_and_a_time_in_the_future_has_no_age(add: AddRecord, registry: Path) -> None:
    pid = add(name="long", status="busy", updatedAt=now() - 3 * HOUR, statusUpdatedAt=now() - 3 * HOUR)
    hours_ago = time.time() - 3 * 3600
    os.utime(registry / f"{pid}.json", (hours_ago, hours_ago))
    ahead = add(name="ahead", statusUpdatedAt=now() + 600_000, updatedAt=now() + 600_000, startedAt=10**18)
    assert rows()["long"].split()[:4] == ["●", "busy,", "unreachable", "3h"]
    assert rows()["ahead"].split()[3] == "0s"
    assert (listed()[pid]["liveness"], listed()[ahead]["startedAt"]) == ("live", None)


BAD: Final[dict[str, bytes]] = {
    "digits": b'{"pid":' + b"9" * 5000 + b"}",
    "deep": b"[" * 200_000,
    "binary": b"\xff\xfe",
    "utf-16": json.dumps(record_fields(1)).encode("utf-16"),
    "null": b"null",
    "array": b"[]",
    "text": b'"x"',
    "number": b"41",
    "huge": b" " * 5_000_000,
    "empty": b"",
    "cut": b'{"pid":41001,"sess',
    "leftovers": b'{"pid":1}"}',
    "escapes": b"\x1b]0;owned\x07",
    "zero": b'{"pid":0,"sessionId":"s"}',
    "group": b'{"pid":-4242,"sessionId":"s"}',
    "boolean": b'{"pid":true,"sessionId":"s"}',
    "half": b'{"pid":1.5,"sessionId":"s"}',
    "word": b'{"pid":"41001","sessionId":"s"}',
    "beyond": b'{"pid":2147483648,"sessionId":"s"}',
    "float": b'{"pid":1e30,"sessionId":"s"}',
    "other": b'{"pid":41002,"sessionId":"s"}',
    "sessionless": b'{"pid":41001}',
}


def test_each_bad_file_is_one_line_and_hides_no_row(add: AddRecord, registry: Path) -> None:
    good = add(name="good")
    marked = add(name="marked")
    (registry / f"{marked}.json").write_bytes(b"\xef\xbb\xbf" + (registry / f"{marked}.json").read_bytes())
    for at, content in enumerate(BAD.values()):
        (registry / f"{4_200_000 + at}.json").write_bytes(content)
    os.mkfifo(registry / "4300001.json")
    (registry / "4300002.json").mkdir()
    (registry / "4300003.json").symlink_to(registry / f"{good}.json")
    (registry / "[b]\x1b[31m.json").touch()
    (registry / os.fsdecode(b"\xff.json")).touch()
    done = peerdeck("list", "--all")
    assert done.returncode == 0
    assert {pid for pid, row in listed().items() if row["liveness"] == "live"} == {good, marked}
    complaints = done.stderr.splitlines()
    assert len(complaints) == len(BAD) + 5
    assert all(line.startswith("peerdeck: ") and len(line) < 250 and line.isprintable() for line in complaints)
    assert "peerdeck: [b]␛[31m.json: name: not named <pid>.json" in complaints


ODD: Final[dict[str, dict[str, Any]]] = {
    "tool": {
        "procStart": 1_790_000_000_000, "peerProtocol": "http", "peerFeatures": {}, "pidDomain": "41001",
        "entrypoint": "webconsole", "messagingSocketPath": "", "status": None,
    },
    "types": {"name": 17, "cwd": None, "version": ["2"], "kind": None},
    "times": {"startedAt": float("nan"), "statusUpdatedAt": float("inf"), "updatedAt": -1e15},
    "words": {"startedAt": "yesterday", "statusUpdatedAt": "1e400", "status": {"a": 1}},
    "surrogates": {"name": "cut \ud83d", "cwd": "/\udcff", "messagingSocketPath": "/\ud83d", "version": "\ud800"},
    "zeros": {"name": "a\x00b", "cwd": "/\x00", "messagingSocketPath": "/\x00", "sessionId": "\x00"},
    "endless": {"name": "x" * 100_000, "cwd": "/" + "y" * 100_000, "waitingFor": "z" * 50_000, "status": "waiting"},
    "nameless": {"name": ""},
    "invisible": {"name": "\u200b\u202e"},
    "wild": {"status": "compacting"},
}  # fmt: skip


def test_records_that_other_tools_write_are_rows_with_what_is_usable(add: AddRecord) -> None:
    pids = {kind: add(**changes) for kind, changes in ODD.items()}
    found = listed()
    assert found.keys() == set(pids.values())
    for arguments in ((), ("--all",)):
        done = peerdeck("list", *arguments)
        assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", len(ODD) + 1)
        assert all(line.isprintable() and len(line) < 1500 for line in done.stdout.splitlines())
    assert {kind: found[pid]["reachable"] for kind, pid in pids.items() if found[pid]["reachable"]} == {}
    assert found[pids["tool"]]["liveness"] == "unverified"
    assert found[pids["types"]]["endpoint"] is None
    assert "  cut \N{REPLACEMENT CHARACTER}  " in peerdeck("list").stdout


BRACKETS: Final = (
    "probe [ce3140]", "probe [36024e]", "fix [WIP] login", "[/tmp/x]", "[/]", "[b + x", "v={'a[0]'}]",
    "[@click=app.quit]hi[/]", "trail\\",
)  # fmt: skip


def test_brackets_in_a_name_are_printed_as_they_are(add: AddRecord) -> None:
    for name in BRACKETS:
        add(name=name, status="waiting", waitingFor=name)
    out = peerdeck("list").stdout
    for name in BRACKETS:
        assert f"waiting, {name}, unreachable" in out
        assert f"  {name}  " in out


def test_the_inbox_of_a_session_is_printed_to_no_person(add: AddRecord, tmp_path: Path) -> None:
    inbox = tmp_path / "the-inbox.sock"
    inbox.touch()
    add(messagingSocketPath=str(inbox))
    for arguments in (("list",), ("list", "--all"), ("doctor",), ("send", "nobody", "hello")):
        done = peerdeck(*arguments)
        assert "the-inbox" not in done.stdout + done.stderr
