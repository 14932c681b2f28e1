"""Settings on file systems that take no replacement. The mounts are real, and seen by one process only."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.effects.settings_room import ACCEPT, BEFORE, SettingsRoom, report_of, updating

if TYPE_CHECKING:
    from pathlib import Path


def in_a_mount_namespace(mount: str, *command: str) -> list[str]:
    """Run `command` where a mount has been made that nobody else sees and that ends with it."""
    apart = ["unshare", "--mount", "--propagation", "private"]
    if os.geteuid() or not shutil.which("unshare") or subprocess.run([*apart, "true"], check=False).returncode:
        pytest.skip("no mount namespace to be had")
    return [*apart, "sh", "-ec", f'{mount}\nexec "$@"', "sh", *command]


def test_a_file_that_is_mounted_on_its_own_is_an_io_error_and_leaves_nothing_behind(
    room: SettingsRoom, tmp_path: Path
) -> None:
    room.write("{}")
    (tmp_path / "mounted.json").write_text(BEFORE)
    mount = f"mount --bind '{tmp_path}/mounted.json' '{room.file}'"
    report = report_of(in_a_mount_namespace(mount, *updating(room.folder, ACCEPT)))
    assert (report["trouble"], report["content"]) == ("io", BEFORE)
    assert "busy" in report["message"]
    assert report["entries"] == ["settings.json"]


def test_a_full_disk_is_an_io_error_and_leaves_the_old_bytes_and_nothing_else(room: SettingsRoom) -> None:
    mount = f"""mount -t tmpfs -o size=64k tmpfs '{room.folder}'
        printf '{{"crossSessionInbound":"hold","filler":"%s"}}' "$(head -c 20000 /dev/zero | tr '\\0' x)" >'{room.file}'
        head -c 100000 /dev/zero >'{room.folder}/filler' 2>/dev/null || true"""
    report = report_of(in_a_mount_namespace(mount, *updating(room.folder, ACCEPT)))
    assert report["trouble"] == "io"
    assert "No space left" in report["message"]
    assert report["content"].startswith('{"crossSessionInbound":"hold","filler":"xxx')
    assert len(report["content"]) == 20042
    assert report["entries"] == ["filler", "settings.json"]


def test_a_read_only_file_system_is_an_io_error(room: SettingsRoom) -> None:
    room.write()
    mount = f"mount --bind '{room.folder}' '{room.folder}'\nmount -o remount,bind,ro '{room.folder}'"
    report = report_of(in_a_mount_namespace(mount, *updating(room.folder, ACCEPT)))
    assert (report["trouble"], report["content"], report["entries"]) == ("io", BEFORE, ["settings.json"])
    assert "Read-only file system" in report["message"]
