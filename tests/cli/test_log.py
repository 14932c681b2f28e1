from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.building import write_record
from tests.cli.running import peerdeck
from tests.waiting import wait_until
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    StartProcess = Callable[..., subprocess.Popen[bytes]]


def test_the_log_says_what_happened_and_names_nobody(
    registry: Path, tmp_path: Path, start_process: StartProcess
) -> None:
    process = start_process()
    start = system_processes().look(process.pid).start
    write_record(registry, process.pid, procStart=start, name="secret-project", cwd="/secret", status="busy")
    log = tmp_path / "bug.log"
    with subprocess.Popen(
        [sys.executable, "-m", "tui", "watch", "--log", str(log)], stdout=subprocess.DEVNULL, env=os.environ
    ) as watching:
        wait_until(lambda: log.exists() and f"PeerAdded pid {process.pid} busy live" in log.read_text())
        watching.kill()
    assert "secret" not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_the_log_of_a_delivery_has_its_outcome_and_nothing_of_its_text(
    registry: Path, tmp_path: Path, start_process: StartProcess
) -> None:
    process = start_process()
    (tmp_path / "inbox").touch()
    start = system_processes().look(process.pid).start
    write_record(registry, process.pid, procStart=start, name="addressee", messagingSocketPath=str(tmp_path / "inbox"))
    stub = tmp_path / "stub-claude"
    stub.write_text("#!/bin/sh\nexit 7\n")
    stub.chmod(0o755)
    log = tmp_path / "bug.log"
    assert peerdeck("send", "addressee", "s3cr3t", "--claude", str(stub), "--log", str(log)).returncode == 1
    assert "delivery delivery_failed" in log.read_text()
    assert "exit code 7" in log.read_text()
    assert "s3cr3t" not in log.read_text()


def test_the_log_of_a_policy_change_has_no_value(registry: Path, tmp_path: Path) -> None:
    (registry.parent / "settings.json").write_text('{"env": {"KEY": "s3cr3t"}}')
    log = tmp_path / "bug.log"
    assert peerdeck("policy", "refuse", "--log", str(log)).returncode == 0
    assert "settings changed" in log.read_text()
    assert not {"s3cr3t", "refuse"} & set(log.read_text().split())


def test_without_the_option_nothing_is_logged(registry: Path, tmp_path: Path) -> None:
    before = set(tmp_path.rglob("*"))
    assert registry.exists()
    assert peerdeck("list").returncode == 0
    assert set(tmp_path.rglob("*")) == before


def test_a_log_that_cannot_be_written_or_is_a_link_is_wrong_usage(registry: Path, tmp_path: Path) -> None:
    assert registry.exists()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for name in ("missing/bug.log", "link"):
        done = peerdeck("list", "--log", str(tmp_path / name))
        assert (done.returncode, done.stdout) == (2, "")
        assert "cannot be written" in done.stderr
    assert not (tmp_path / "elsewhere").exists()
