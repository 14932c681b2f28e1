"""An update that fails or is killed at any of its steps leaves the old bytes or the new, whole, and nothing else."""

from __future__ import annotations

import errno
import itertools
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.effects.os_steps import Countdown, step_in
from tests.effects.settings_room import ACCEPT, AFTER, BEFORE, PROJECT, SettingsRoom, updating
from tui.domain.inbound import SettingsError, SettingsTrouble
from tui.effects.directory_lock import held_directory
from tui.effects.settings_file import sweep_stale

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GONE = 2**22 + 1
"""No process has this pid: it is beyond the largest that Linux and macOS give."""


def failing_with(number: int) -> Callable[[], None]:
    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail


def fail_at(step: int, number: int, room: SettingsRoom) -> tuple[str | None, SettingsError | None]:
    """Update with the call number `step` failing; return which one that was, and the refusal if there was one."""
    countdown = Countdown(step, failing_with(number))
    with pytest.MonkeyPatch.context() as patch:
        step_in(countdown, patch.setattr)
        try:
            room.update()
        except SettingsError as error:
            return countdown.acted_at, error
    return countdown.acted_at, None


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EPERM, errno.EBUSY])
def test_a_failure_of_any_call_leaves_the_old_bytes_or_the_new_and_no_other_file(tmp_path: Path, number: int) -> None:
    refused_at: set[str] = set()
    for step in itertools.count():
        room = SettingsRoom(tmp_path / str(step))
        room.write().chmod(0o644)
        call, error = fail_at(step, number, room)
        assert room.names() == ["settings.json"], call
        if error is None:
            assert room.text() == AFTER, call
        else:
            replaced = "the change is in place" in error.message or error.message.startswith("The change was written")
            assert room.text() == (AFTER if replaced else BEFORE), call
            refused_at.add(call or "")
        if call is None:
            break
    assert refused_at >= {"open", "stat", "fstat", "write", "fchmod", "fsync", "replace"}


def test_a_new_file_is_not_left_half_made_by_a_failure_of_any_call(tmp_path: Path) -> None:
    for step in itertools.count():
        room = SettingsRoom(tmp_path / str(step))
        call, error = fail_at(step, errno.EIO, room)
        assert room.names() in ([], ["settings.json"]), call
        assert room.names() == ["settings.json"] or error, call
        if room.file.exists():
            assert room.text() == '{\n  "crossSessionInbound": "accept"\n}\n'
        if call is None:
            break


def test_a_directory_that_the_disk_does_not_confirm_is_told_as_a_change_in_place(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()
    real, failing = os.fsync, iter([False, True])

    def sync(descriptor: int) -> None:
        if next(failing):
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    error = room.refusal()
    assert error.trouble is SettingsTrouble.IO
    assert error.message.endswith("the change is in place, but the disk did not confirm it: Input/output error")
    assert room.text() == AFTER


def test_writes_cut_short_by_the_system_are_carried_on(room: SettingsRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room.write()
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
    room.update()
    assert room.text() == AFTER


def write_nothing(_descriptor: int, _data: memoryview) -> int:
    return 0


def lose_everything(_descriptor: int, data: memoryview) -> int:
    return len(data)


@pytest.mark.parametrize("write", [write_nothing, lose_everything])
def test_a_file_that_came_out_short_never_replaces_the_old_one(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch, write: Callable[[int, memoryview], int]
) -> None:
    room.write()
    monkeypatch.setattr(os, "write", write)
    error = room.refusal()
    assert error.trouble is SettingsTrouble.IO
    assert "came out with another size" in error.message
    assert room.text() == BEFORE
    assert room.names() == ["settings.json"]


def test_an_interrupt_from_the_keyboard_leaves_no_temporary_file(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()

    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        room.update()
    assert room.text() == BEFORE
    assert room.names() == ["settings.json"]


def test_a_kill_at_any_call_leaves_the_old_bytes_or_the_new_and_the_next_start_sweeps_the_rest(tmp_path: Path) -> None:
    left_behind, contents = 0, set()
    for first in itertools.count(step=4):
        rooms = {step: SettingsRoom(tmp_path / str(step)) for step in range(first, first + 4)}
        for step, killed in kill_at_each(rooms).items():
            contents.add(rooms[step].text())
            left_behind += len(rooms[step].names()) - 1
            sweep_stale(rooms[step].folder)
            assert rooms[step].names() == ["settings.json"], step
            if not killed:
                assert rooms[step].text() == AFTER
                assert contents == {BEFORE, AFTER}
                assert left_behind >= 4
                return


def kill_at_each(rooms: dict[int, SettingsRoom]) -> dict[int, bool]:
    """Update each room in a process that kills itself at the call of that number; return which ones got that far."""
    processes = {}
    for step, room in rooms.items():
        room.write()
        command = updating(room.folder, ACCEPT, "--die-at", str(step))
        processes[step] = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL)
    return {step: process.wait(timeout=60) == -9 for step, process in processes.items()}


def stale_name(pid: int) -> str:
    return f".peerdeck-{pid}-0123456789abcdef.tmp"


def test_the_next_update_sweeps_what_a_killed_peerdeck_left(room: SettingsRoom) -> None:
    room.write()
    (room.folder / stale_name(GONE)).write_text('{"half')
    room.update()
    assert room.names() == ["settings.json"]


def test_a_file_left_by_an_earlier_process_of_the_same_pid_is_swept(room: SettingsRoom) -> None:
    (room.folder / stale_name(os.getpid())).write_text("")
    sweep_stale(room.folder)
    assert room.names() == []


def test_a_sweep_touches_nothing_else(room: SettingsRoom, tmp_path: Path) -> None:
    room.write()
    kept = [
        stale_name(os.getppid()),  # alive
        stale_name(1),
        stale_name(9_999_999_999),  # no pid
        stale_name(0),
        f".peerdeck-{GONE}-0123.tmp",
        f".peerdeck-{GONE}-0123456789abcdef.tmp.bak",
        f".peerdeck-{GONE}-0123456789ABCDEF.tmp",
        f"x.peerdeck-{GONE}-0123456789abcdef.tmp",
        f".settings.json.supercode-{GONE}-1.tmp",
        "settings.local.json",
    ]
    for name in kept:
        (room.folder / name).write_text("")
    (room.folder / f".peerdeck-{GONE}-00000000000000aa.tmp").mkdir()
    (room.folder / f".peerdeck-{GONE}-00000000000000bb.tmp").symlink_to(tmp_path)
    before = room.names()
    sweep_stale(room.folder)
    assert room.names() == before


def test_no_sweep_while_another_peerdeck_is_updating(room: SettingsRoom) -> None:
    (room.folder / stale_name(GONE)).write_text("")
    with held_directory(room.folder):
        sweep_stale(room.folder)
    assert room.names() == [stale_name(GONE)]


def test_a_sweep_of_a_missing_directory_creates_nothing(tmp_path: Path) -> None:
    sweep_stale(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_the_temporary_file_is_private_and_matches_no_pattern_for_settings(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write().chmod(0o666)
    seen: list[tuple[list[Path], int]] = []

    def look(name: str, _arguments: tuple[Any, ...]) -> None:
        if name == "write":
            (temporary,) = (entry for entry in room.folder.iterdir() if entry != room.file)
            seen.append((list(room.folder.glob("settings*")), temporary.stat().st_mode & 0o777))
            assert temporary.name.startswith(f".peerdeck-{os.getpid()}-")

    step_in(look, monkeypatch.setattr)
    room.update()
    assert seen == [([room.file], 0o600)]
