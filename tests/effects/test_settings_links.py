"""Settings that are symbolic links, or no regular file at all."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any

import pytest

from tests.effects.os_steps import step_in
from tests.effects.settings_room import ACCEPT, AFTER, BEFORE, HOLD, SettingsRoom
from tui.domain.inbound import SettingsError, SettingsTrouble
from tui.effects.settings_file import SettingsFile

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "dotfiles.json"
    file.write_text(BEFORE)
    return file


def refused_link(room: SettingsRoom, target: object) -> SettingsError:
    """Update a link, which has to be refused with its target named; nothing may move."""
    before = (os.lstat(room.file).st_ino, room.file.readlink(), room.names())
    error = room.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert error.message == f"refusing to replace symlinked Claude Code settings at {room.file}, a link to {target}"
    assert (os.lstat(room.file).st_ino, room.file.readlink(), room.names()) == before
    return error


def test_explicit_peer_policy_update_refuses_a_symlinked_settings_file(room: SettingsRoom, outside: Path) -> None:
    outside.write_text("{}\n")
    room.file.symlink_to(outside)
    refused_link(room, outside)
    assert outside.read_text() == "{}\n"


def test_settings_are_read_through_a_link(room: SettingsRoom, outside: Path) -> None:
    room.file.symlink_to(outside)
    assert room.settings.read().policy is HOLD


def test_a_link_is_refused_even_where_there_is_nothing_to_change(room: SettingsRoom, outside: Path) -> None:
    room.file.symlink_to(outside)
    with pytest.raises(SettingsError, match="refusing to replace"):
        room.update(HOLD)


def test_a_link_to_a_link_is_refused_and_the_hint_names_the_file_at_the_end(room: SettingsRoom, outside: Path) -> None:
    middle = room.folder.parent / "middle"
    middle.symlink_to(outside)
    room.file.symlink_to(middle)
    error = refused_link(room, middle)
    assert str(outside.resolve()) in error.hint
    assert outside.read_text() == BEFORE


def test_a_dangling_link_is_not_taken_for_a_missing_file(room: SettingsRoom) -> None:
    target = room.folder.parent / "unmounted" / "settings.json"
    room.file.symlink_to(target)
    refused_link(room, target)
    assert room.settings.read().policy is None
    assert not target.parent.exists()


def test_a_link_to_itself_is_refused(room: SettingsRoom) -> None:
    room.file.symlink_to("settings.json")
    refused_link(room, "settings.json")
    with pytest.raises(SettingsError) as caught:
        room.settings.read()
    assert caught.value.trouble is SettingsTrouble.IO


def test_a_linked_config_directory_is_followed_and_stays_a_link(room: SettingsRoom, tmp_path: Path) -> None:
    room.write()
    linked = tmp_path / "linked"
    linked.symlink_to("claude")
    updated = SettingsFile(linked).update(ACCEPT)
    assert (updated.path, updated.policy) == (linked / "settings.json", ACCEPT)
    assert str(linked.readlink()) == "claude"
    assert room.text() == AFTER
    assert room.names() == ["settings.json"]


def test_a_config_directory_that_is_a_dangling_link_is_an_io_error_and_stays(tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    linked.symlink_to("unmounted")
    with pytest.raises(SettingsError) as caught:
        SettingsFile(linked).update(ACCEPT)
    assert caught.value.trouble is SettingsTrouble.IO
    assert str(linked.readlink()) == "unmounted"
    assert not (tmp_path / "unmounted").exists()


def test_a_link_that_appears_between_look_and_open_is_refused(
    room: SettingsRoom, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()

    def swap(name: str, arguments: tuple[Any, ...]) -> None:
        if name == "open" and arguments[0] == "settings.json" and not room.file.is_symlink():
            room.file.unlink()
            room.file.symlink_to(outside)

    with monkeypatch.context() as patch:
        step_in(swap, patch.setattr)
        error = room.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert error.message.endswith(f"a link to {outside}")
    assert outside.read_text() == BEFORE
    assert room.file.readlink() == outside


def make_directory(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)  # the name of a socket is limited to about a hundred characters
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


@pytest.mark.parametrize(
    ("make", "kind"), [(make_directory, "a directory"), (make_fifo, "a FIFO"), (make_socket, "a socket")]
)
def test_what_is_no_regular_file_is_refused_without_waiting_for_it(room: SettingsRoom, make: Any, kind: str) -> None:
    make(room.file)
    before = os.lstat(room.file)
    with pytest.raises(SettingsError) as caught:
        room.settings.read()
    error = room.refusal()
    assert error.trouble is caught.value.trouble is SettingsTrouble.INVALID
    assert error.message == f"Claude Code settings at {room.file} are not a regular file but {kind}"
    assert os.lstat(room.file).st_ino == before.st_ino
    assert room.names() == ["settings.json"]


def test_a_fifo_behind_a_link_is_refused_without_waiting_for_it(room: SettingsRoom, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    room.file.symlink_to(tmp_path / "fifo")
    with pytest.raises(SettingsError, match="a FIFO"):
        room.settings.read()


def test_a_fifo_that_appears_between_look_and_open_is_refused_without_waiting_for_it(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()

    def swap(name: str, arguments: tuple[Any, ...]) -> None:
        if name == "open" and str(arguments[0]).endswith("settings.json") and room.file.is_file():
            room.file.unlink()
            os.mkfifo(room.file)

    with monkeypatch.context() as patch:
        step_in(swap, patch.setattr)
        with pytest.raises(SettingsError, match="not a regular file but a FIFO"):
            room.settings.read()
