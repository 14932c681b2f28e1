from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from tests.building import write_record
from tests.cli.running import peerdeck
from tui.effects.processes import own_pid_space, system_processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    StartProcess = Callable[..., subprocess.Popen[bytes]]


def live_record(registry: Path, process: subprocess.Popen[bytes], **changes: object) -> Path:
    return write_record(registry, process.pid, **({"procStart": system_processes().look(process.pid).start} | changes))


def test_list_prints_the_live_sessions_and_those_that_wait_first(registry: Path, start_process: StartProcess) -> None:
    since = int(time.time() * 1000) - 5 * 60_000 - 1000
    live_record(registry, start_process(), name="calm", status="idle", statusUpdatedAt=since)
    live_record(registry, start_process(), name="urgent", status="waiting", waitingFor="permission prompt")
    write_record(registry, 2**22 + 3, name="dead")

    done = peerdeck("list")

    assert done.returncode == 0
    heading, first, second = done.stdout.splitlines()
    assert heading.split() == ["STATUS", "AGE", "NAME", "DIRECTORY", "KIND", "VERSION"]
    assert first.startswith("▲ waiting, permission prompt, unreachable")
    assert second.split() == [
        "○", "idle,", "unreachable", "5m", "calm", "/home/u/work/proj", "interactive", "2.1.328",
    ]  # fmt: skip
    assert done.stderr == ""


def test_list_json_is_an_array_with_the_registrys_own_key_names(registry: Path, start_process: StartProcess) -> None:
    inbox = registry / "7.sock"
    inbox.touch()
    process = start_process()
    space = own_pid_space()
    domain = f"linux:{min(space.machines)}:pid:[{space.namespace}]" if space.machines else None
    live_record(registry, process, messagingSocketPath=str(inbox), status="busy", pidDomain=domain)

    (peer,) = json.loads(peerdeck("list", "--json").stdout)

    assert peer["pid"] == process.pid
    assert peer["status"] == "busy"
    assert peer["cwd"] == "/home/u/work/proj"
    assert (peer["liveness"], peer["reachable"]) == ("live", True)
    assert peer["endpoint"] == f"cc-peer:v1:{process.pid}:proj-{process.pid}:{inbox}"


def test_list_all_adds_records_whose_session_is_over_and_names_unusable_files(registry: Path) -> None:
    write_record(registry, 2**22 + 3)
    (registry / "notes.json").write_text("{}")
    (registry / "7.json").write_text("\x1b[2J")
    done = peerdeck("list", "--all", "--json")
    assert [peer["liveness"] for peer in json.loads(done.stdout)] == ["gone"]
    assert "notes.json: name: not named <pid>.json" in done.stderr
    assert "7.json: not_json" in done.stderr
    assert "\x1b" not in done.stderr
    assert json.loads(peerdeck("list", "--json").stdout) == []


def test_no_sessions_a_missing_registry_and_an_unreadable_one_are_told_apart(registry: Path) -> None:
    empty = peerdeck("list")
    assert (empty.returncode, empty.stdout) == (0, "")
    assert "no live sessions in" in empty.stderr

    registry.rmdir()
    missing = peerdeck("list", "--json")
    assert (missing.returncode, missing.stdout) == (0, "[]\n")
    assert "does not exist" in missing.stderr
    assert not registry.exists()

    registry.write_text("")
    unreadable = peerdeck("list", "--json")
    assert (unreadable.returncode, unreadable.stdout) == (3, "")
    assert "cannot be read: Not a directory" in unreadable.stderr


def test_the_option_may_stand_before_or_behind_the_verb(tmp_path: Path, start_process: StartProcess) -> None:
    registry = tmp_path / "other" / "sessions"
    registry.mkdir(parents=True)
    live_record(registry, start_process(), name="there")
    for arguments in (
        ("--config-dir", str(registry.parent), "list"),
        ("list", "--config-dir", str(registry.parent)),
    ):
        assert "there" in peerdeck(*arguments).stdout
    assert "there" in peerdeck("list", CLAUDE_CONFIG_DIR=str(registry.parent)).stdout


def test_hostile_names_reach_no_terminal_raw(registry: Path, start_process: StartProcess) -> None:
    hostile = "a\x1b]0;owned\x07b\x9b31m\u202e\n[/x]"
    live_record(registry, start_process(), name=hostile, cwd=hostile, status="waiting", waitingFor=hostile)
    for arguments in (("list",), ("list", "--json"), ("list", "--all")):
        out = peerdeck(*arguments).stdout
        assert not set(out) & set("\x1b\x07\x9b\u202e")
    assert json.loads(peerdeck("list", "--json").stdout)[0]["name"] == hostile


def test_a_plain_c_locale_is_no_reason_to_fail(registry: Path, start_process: StartProcess) -> None:
    live_record(registry, start_process(), name="naïve 漢字")
    done = peerdeck("list", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "na?ve ??" in done.stdout


def test_a_reader_that_goes_away_ends_it_without_a_traceback(registry: Path, start_process: StartProcess) -> None:
    import os  # noqa: PLC0415
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    live_record(registry, start_process())
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "tui", "list"], stdout=write_end, stderr=subprocess.PIPE, check=False, timeout=60
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")
