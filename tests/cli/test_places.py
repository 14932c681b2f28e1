"""Config directories, homes and current directories as nobody wants them: each verb ends in words."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.building import write_record
from tests.cli.running import peerdeck
from tests.effects.test_settings_mounts import in_a_mount_namespace
from tests.waiting import wait_until
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    from collections.abc import Callable

    StartProcess = Callable[..., subprocess.Popen[bytes]]

PROJECT: Final = Path(__file__).parents[2]
_DROP: Final = """
import ctypes, os, sys
for capability in (1, 2):  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by PR_CAPBSET_DROP
    ctypes.CDLL(None).prctl(24, capability)
os.execv(sys.argv[1], sys.argv[1:])
"""
PEERDECK: Final = (sys.executable, "-m", "tui")
ORDINARY: Final = PEERDECK if os.geteuid() else (sys.executable, "-c", _DROP, *PEERDECK)
"""Peerdeck for which permissions count; they do not for root on Linux."""
VERBS: Final = {
    "list": ("list", "--all"),
    "policy": ("policy",),
    "set": ("policy", "accept"),
    "doctor": ("doctor",),
    "send": ("send", "nobody", "hello"),
}


def codes(*command: str | bytes, **environment: str) -> dict[str, int]:
    """Run each verb with `command`; return their exit codes. None may end in a traceback, or without a word."""

    def code(arguments: tuple[str, ...]) -> int:
        run_in = os.environ | {"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"} | environment
        done = subprocess.run(
            [*command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=run_in, timeout=60, check=False
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        assert done.stdout or done.stderr
        return done.returncode

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(VERBS, pool.map(code, VERBS.values()), strict=True))


NOTHING_THERE: Final = {"list": 0, "policy": 0, "set": 0, "doctor": 1, "send": 1}
UNREADABLE: Final = {"list": 3, "policy": 3, "set": 3, "doctor": 1, "send": 3}


def test_a_config_directory_that_is_a_file_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert codes(*PEERDECK, CLAUDE_CONFIG_DIR=str(tmp_path / "file")) == UNREADABLE
    assert "is not a directory" in peerdeck("doctor", "--config-dir", str(tmp_path / "file")).stdout


def test_a_config_directory_with_too_long_a_name_is_unreadable(tmp_path: Path) -> None:
    assert codes(*PEERDECK, "--config-dir", f"{tmp_path}/{'x' * 5000}") == UNREADABLE


def test_a_relative_config_directory_is_not_looked_for_elsewhere_when_the_current_one_is_gone() -> None:
    gone = ("sh", "-c", 'here=$(mktemp -d) && cd "$here" && rmdir "$here" && exec "$@"', "sh")
    expected = NOTHING_THERE | {"set": 1}
    assert codes(*gone, *PEERDECK, "--claude", "./claude", CLAUDE_CONFIG_DIR="rel") == expected


def test_without_home_and_term_the_verbs_work_as_ever(registry: Path, start_process: StartProcess) -> None:
    process = start_process()
    write_record(registry, process.pid, procStart=system_processes().look(process.pid).start)
    bare = ("env", "-u", "HOME", "-u", "TERM", *PEERDECK)
    assert codes(*bare, "--config-dir", str(registry.parent)) == NOTHING_THERE
    command = [*bare, "list", "--config-dir", str(registry.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == peerdeck("list").stdout
    assert f"proj-{process.pid}" in done.stdout


def test_a_home_that_cannot_be_written_can_be_looked_at(home: Path) -> None:
    home.chmod(0o555)
    assert codes(*ORDINARY) == NOTHING_THERE | {"set": 1}
    assert list(home.iterdir()) == []


def test_a_config_directory_that_must_not_be_entered_is_unreadable(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0)
    assert codes(*ORDINARY, "--config-dir", f"{private}/claude") == UNREADABLE
    private.chmod(0o700)


def test_a_registry_on_a_read_only_file_system_is_read_like_any_other(
    registry: Path, start_process: StartProcess
) -> None:
    process = start_process()
    write_record(registry, process.pid, procStart=system_processes().look(process.pid).start)
    claude = registry.parent
    mount = f"mount --bind '{claude}' '{claude}'\nmount -o remount,bind,ro '{claude}'"
    assert codes(*in_a_mount_namespace(mount, *PEERDECK)) == NOTHING_THERE | {"set": 1}
    command = in_a_mount_namespace(mount, *PEERDECK, "list")
    assert f"proj-{process.pid}" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has no such names")
def test_a_config_directory_whose_name_is_no_utf_8_is_polled_and_works(
    tmp_path: Path, start_process: StartProcess
) -> None:
    config = os.fsencode(tmp_path) + b"/x\xff"
    registry = Path(os.fsdecode(config)) / "sessions"
    registry.mkdir(parents=True)
    assert codes(*PEERDECK, b"--config-dir", config) == NOTHING_THERE
    out = tmp_path / "watched"
    command: list[str | bytes] = [*PEERDECK, "watch", b"--config-dir", config]
    with out.open("wb") as stdout, subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE) as watching:
        wait_until(lambda: "the directory's path is not UTF-8" in out.read_text(), "the reason")
        process = start_process()
        write_record(registry, process.pid, procStart=system_processes().look(process.pid).start)
        wait_until(lambda: f"added: proj-{process.pid}" in out.read_text(), "the new session")
        watching.terminate()
        assert watching.communicate(timeout=60)[1] == b""
