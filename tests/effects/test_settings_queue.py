"""Several peerdecks update the same settings one after the other."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import subprocess
import threading
from typing import TYPE_CHECKING, Any

from tests.effects.settings_room import ACCEPT, AFTER, BEFORE, PROJECT, REFUSE, SettingsRoom, updating
from tui.domain.inbound import InboundPolicy, SettingsTrouble
from tui.effects.directory_lock import held_directory
from tui.effects.settings_file import sweep_stale

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


def start_gated(room: SettingsRoom, commands: list[list[str]]) -> Iterator[dict[str, Any]]:
    """Start all, hold them at the lock until each is ready to update, let them go; yield their reports."""
    with held_directory(room.folder):
        processes = [subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) for command in commands]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
    for process in processes:
        output, _nothing = process.communicate(timeout=60)
        assert process.returncode == 0
        yield json.loads(output)


def test_twenty_peerdecks_at_once_lose_nothing(room: SettingsRoom) -> None:
    others = {f"key{number}": f"é{number}" for number in range(50)}
    room.write(json.dumps(others, indent=4, ensure_ascii=False))
    wanted = [list(InboundPolicy)[number % 3] for number in range(20)]
    reports = list(start_gated(room, [updating(room.folder, policy, "--times", "3") for policy in wanted]))
    assert [report.get("trouble") for report in reports] == [None] * 20
    assert json.loads(room.text()) == others | {"crossSessionInbound": room.settings.read().policy}
    assert room.update(None).policy is None
    assert room.text() == json.dumps(others, indent=4, ensure_ascii=False)
    assert room.names() == ["settings.json"]


def test_of_twenty_peerdecks_that_saw_the_same_file_one_lands_and_the_others_report_a_conflict(
    room: SettingsRoom,
) -> None:
    room.write()
    seen = room.settings.read().revision
    reports = list(start_gated(room, [updating(room.folder, REFUSE, "--revision", seen)] * 20))
    outcomes = sorted(report.get("trouble", "landed") for report in reports)
    assert outcomes == ["changed_during_write"] * 19 + ["landed"]
    assert room.text() == BEFORE.replace("hold", "refuse")


def test_an_update_queues_behind_another_peerdeck(room: SettingsRoom) -> None:
    room.write()
    update = threading.Thread(target=room.update)
    with held_directory(room.folder):
        update.start()
        update.join(0.05)
        assert update.is_alive()
        assert room.text() == BEFORE
    update.join(10)
    assert room.text() == AFTER


def test_a_lock_that_is_never_given_up_is_an_io_error_in_the_end(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()
    clock = iter(range(0, 1000, 5))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with held_directory(room.folder):
        error = room.refusal()
    assert error.trouble is SettingsTrouble.IO
    assert "another program holds the directory's lock" in error.message
    assert "Another peerdeck is changing the settings" in error.hint
    assert room.text() == BEFORE


def test_without_locks_updates_go_on_and_nothing_is_swept(room: SettingsRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room.write()
    left_by_whom = f".peerdeck-{os.getpid()}-0123456789abcdef.tmp"
    (room.folder / left_by_whom).write_text("")

    def no_locks(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")  # NFS, for a directory

    monkeypatch.setattr(fcntl, "flock", no_locks)
    sweep_stale(room.folder)
    assert room.update().policy is ACCEPT
    assert room.names() == [left_by_whom, "settings.json"]
