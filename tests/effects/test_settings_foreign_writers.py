"""Others write the same file: Claude Code without any lock, other peerdecks with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.effects.os_steps import step_in
from tests.effects.settings_room import ACCEPT, AFTER, BEFORE, HOLD, SettingsRoom
from tui.domain.inbound import SettingsError, SettingsTrouble

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOREIGN = BEFORE.replace("}", ', "model": "opus"}')


def before_the_write(name: str, _arguments: tuple[Any, ...], _earlier: list[str]) -> bool:
    return name == "write"


def after_the_write(name: str, _arguments: tuple[Any, ...], _earlier: list[str]) -> bool:
    return name == "fsync"


def before_the_last_look(name: str, arguments: tuple[Any, ...], earlier: list[str]) -> bool:
    return name == "stat" and arguments[0] == "settings.json" and "fsync" in earlier


WINDOWS = [before_the_write, after_the_write, before_the_last_look]
every_window = pytest.mark.parametrize("window", WINDOWS)


class Intruder:
    """Does something to the settings the first time that a window opens in an update."""

    def __init__(self, window: Callable[[str, tuple[Any, ...], list[str]], bool], act: Callable[[], object]) -> None:
        self._window = window
        self._act = act
        self._earlier: list[str] = []
        self.acted = False

    def __call__(self, name: str, arguments: tuple[Any, ...]) -> None:
        if not self.acted and self._window(name, arguments, self._earlier):
            self.acted = True
            self._act()
        self._earlier.append(name)


def update_despite(window: Any, act: Callable[[], object], room: SettingsRoom) -> SettingsError | None:
    """Update while `act` happens in the window; return the refusal, if there was one."""
    intruder = Intruder(window, act)
    with pytest.MonkeyPatch.context() as patch:
        step_in(intruder, patch.setattr)
        try:
            room.update()
        except SettingsError as error:
            return error
        finally:
            assert intruder.acted
    return None


def conflict(window: Any, act: Callable[[], object], room: SettingsRoom) -> SettingsError:
    error = update_despite(window, act, room)
    assert error is not None
    assert error.trouble is SettingsTrouble.CHANGED_DURING_WRITE
    return error


@every_window
def test_a_key_added_meanwhile_is_a_conflict_and_stays(room: SettingsRoom, window: Any) -> None:
    room.write()
    conflict(window, lambda: room.swap(FOREIGN), room)
    assert room.text() == FOREIGN
    assert room.names() == ["settings.json"]


@every_window
@pytest.mark.parametrize("torn", ["", BEFORE[:20], FOREIGN])
def test_a_file_being_written_in_place_meanwhile_is_a_conflict_and_stays(
    room: SettingsRoom, window: Any, torn: str
) -> None:
    before = room.write().stat().st_ino
    conflict(window, lambda: room.write(torn), room)
    assert (room.text(), room.file.stat().st_ino) == (torn, before)
    assert room.names() == ["settings.json"]


@every_window
def test_a_file_deleted_meanwhile_is_a_conflict_and_stays_deleted(room: SettingsRoom, window: Any) -> None:
    conflict(window, room.write().unlink, room)
    assert room.names() == []


@every_window
@pytest.mark.parametrize("text", ["", "{}", BEFORE])
def test_a_file_created_meanwhile_is_a_conflict_and_stays(room: SettingsRoom, window: Any, text: str) -> None:
    conflict(window, lambda: room.write(text), room)
    assert room.text() == text


@every_window
def test_a_link_swapped_in_meanwhile_is_a_conflict_that_names_its_target(
    room: SettingsRoom, window: Any, tmp_path: Path
) -> None:
    room.write()
    outside = tmp_path / "dotfiles.json"
    outside.write_text(BEFORE)
    (tmp_path / "link").symlink_to(outside)
    error = conflict(window, lambda: (tmp_path / "link").replace(room.file), room)
    assert f"the file is now a link to {outside}" in error.message
    assert room.file.readlink() == outside
    assert outside.read_text() == BEFORE
    assert room.names() == ["settings.json"]


@every_window
def test_a_directory_swapped_in_meanwhile_is_a_conflict(room: SettingsRoom, window: Any) -> None:
    room.write()

    def swap() -> None:
        room.file.unlink()
        room.file.mkdir()

    conflict(window, swap, room)
    assert room.file.is_dir()
    assert room.names() == ["settings.json"]


@every_window
def test_protection_added_meanwhile_is_a_conflict(room: SettingsRoom, window: Any) -> None:
    room.write()
    conflict(window, lambda: room.file.chmod(0o444), room)
    assert room.text() == BEFORE


@every_window
def test_a_second_name_added_meanwhile_is_a_conflict(room: SettingsRoom, window: Any, tmp_path: Path) -> None:
    room.write()
    conflict(window, lambda: (tmp_path / "other").hardlink_to(room.file), room)
    assert (tmp_path / "other").samefile(room.file)


@every_window
def test_identical_bytes_in_a_new_file_do_no_harm(room: SettingsRoom, window: Any) -> None:
    room.write()
    assert update_despite(window, lambda: room.swap(BEFORE), room) is None
    assert room.text() == AFTER


@every_window
def test_a_change_that_was_taken_back_does_no_harm(room: SettingsRoom, window: Any) -> None:
    room.write()

    def there_and_back() -> None:
        room.write(FOREIGN)
        room.write(BEFORE)

    assert update_despite(window, there_and_back, room) is None
    assert room.text() == AFTER


def test_what_an_update_returns_is_what_the_file_says_then(room: SettingsRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room.write()
    intruder = Intruder(
        lambda name, _arguments, earlier: name == "stat" and "replace" in earlier, lambda: room.swap(BEFORE)
    )
    step_in(intruder, monkeypatch.setattr)
    assert room.update(ACCEPT).policy is HOLD
    assert intruder.acted


def test_a_later_revert_by_a_session_is_what_the_next_reading_shows(room: SettingsRoom) -> None:
    room.write()
    updated = room.update(ACCEPT)
    room.write(BEFORE)
    seen = room.settings.read()
    assert seen.policy is HOLD
    assert seen.revision != updated.revision


def test_a_file_broken_right_after_the_update_is_told_as_a_change_that_was_written(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()
    intruder = Intruder(
        lambda name, _arguments, earlier: name == "stat" and "replace" in earlier, lambda: room.swap("{")
    )
    step_in(intruder, monkeypatch.setattr)
    error = room.refusal()
    assert error.trouble is SettingsTrouble.JSON
    assert error.message.startswith("The change was written, but the file cannot be read now: ")


def test_a_file_emptied_by_a_writer_that_is_about_to_fill_it_is_waited_for(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write("")
    monkeypatch.setattr("time.sleep", lambda _seconds: room.write())
    room.update()
    assert room.text() == AFTER
