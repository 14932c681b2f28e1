"""The user's settings.json, read and updated."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest
from blake3 import blake3

from tests.effects.settings_room import ACCEPT, BEFORE, HOLD, REFUSE, SettingsRoom
from tui.domain.inbound import InboundPolicy, SettingsError, SettingsTrouble
from tui.effects.settings_file import SettingsFile

if TYPE_CHECKING:
    from pathlib import Path

    from tui.domain.ports import SettingsStore

NO_BYTES = blake3(b"").hexdigest()


def test_explicit_peer_policy_update_preserves_the_rest_of_claude_settings(room: SettingsRoom) -> None:
    room.write('{"permissions":{"allow":["Bash(git status)"]},"theme":"dark"}')
    store: SettingsStore = room.settings

    before = store.read()
    updated = store.update(ACCEPT, before.revision)
    assert updated.policy is ACCEPT
    assert updated.user_allows_automatic_delivery
    document = json.loads(room.text())
    assert document == {
        "permissions": {"allow": ["Bash(git status)"]},
        "theme": "dark",
        "crossSessionInbound": "accept",
    }

    stale = room.refusal(HOLD, before.revision)
    assert stale.trouble is SettingsTrouble.CHANGED_DURING_WRITE
    assert stale.message == (
        "Claude Code settings changed while peerdeck was updating them; retry the explicit configuration action"
    )

    reset = store.update(None, updated.revision)
    assert reset.policy is None
    assert room.text() == '{"permissions":{"allow":["Bash(git status)"]},"theme":"dark"}'
    assert reset == before


def test_reading_tells_the_policy_and_the_revision_of_the_exact_bytes(room: SettingsRoom) -> None:
    file = room.write('{"crossSessionInbound":"refuse"}\n')
    seen = room.settings.read()
    assert (seen.path, seen.policy) == (file, REFUSE)
    assert seen.revision == blake3(file.read_bytes()).hexdigest()


def test_missing_and_empty_settings_are_unset_and_share_the_revision_of_no_bytes(room: SettingsRoom) -> None:
    missing = room.settings.read()
    room.write("")
    assert room.settings.read() == missing
    assert (missing.policy, missing.revision) == (None, NO_BYTES)


def test_reading_creates_neither_the_file_nor_its_directory(tmp_path: Path) -> None:
    assert SettingsFile(tmp_path / "none" / "claude").read().policy is None
    assert not (tmp_path / "none").exists()


def test_the_first_update_creates_the_directory_and_the_file_for_the_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "none" / "claude"
    assert SettingsFile(folder).update(HOLD, NO_BYTES).policy is HOLD
    assert (folder / "settings.json").read_bytes() == b'{\n  "crossSessionInbound": "hold"\n}\n'
    assert stat.S_IMODE((folder / "settings.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_empty_file_is_filled_and_keeps_its_mode(room: SettingsRoom) -> None:
    room.write("").chmod(0o640)
    assert room.update(REFUSE).policy is REFUSE
    assert room.text() == '{\n  "crossSessionInbound": "refuse"\n}\n'
    assert stat.S_IMODE(room.file.stat().st_mode) == 0o640


def test_a_reset_where_nothing_is_set_creates_nothing(tmp_path: Path) -> None:
    assert SettingsFile(tmp_path / "claude").update(None).policy is None
    assert not (tmp_path / "claude").exists()
    room = SettingsRoom(tmp_path / "claude")
    assert room.update(None).policy is None
    assert room.names() == []


def test_a_stale_revision_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        SettingsFile(tmp_path / "claude").update(ACCEPT, "0" * 64)
    assert caught.value.trouble is SettingsTrouble.CHANGED_DURING_WRITE
    assert not (tmp_path / "claude").exists()


@pytest.mark.parametrize(
    ("text", "policy"), [(BEFORE, HOLD), ('{"theme": 1}', None), (r'{"cross\u0053essionInbound":"h\u006fld"}', HOLD)]
)
def test_an_update_to_what_is_there_already_writes_nothing(
    room: SettingsRoom, text: str, policy: InboundPolicy | None
) -> None:
    before = room.write(text).stat()
    assert room.update(policy).policy is policy
    after = room.file.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )


def test_a_file_larger_than_any_settings_is_refused_and_left_alone(room: SettingsRoom) -> None:
    room.write("{}")
    os.truncate(room.file, 16 * 1024 * 1024 + 1)
    with pytest.raises(SettingsError, match="larger than 16777216 bytes"):
        room.settings.read()
    assert room.refusal().trouble is SettingsTrouble.INVALID
    assert room.file.stat().st_size == 16 * 1024 * 1024 + 1


def test_an_update_never_makes_the_settings_larger_than_what_is_read(room: SettingsRoom) -> None:
    text = '{"a":"%s"}' % ("x" * (16 * 1024 * 1024 - 8))
    room.write(text)
    assert room.settings.read().policy is None
    assert "larger than 16777216 bytes" in room.refusal().message
    assert room.text() == text


def test_settings_below_a_file_instead_of_a_directory_are_an_io_error(tmp_path: Path) -> None:
    (tmp_path / "claude").write_text("")
    for act in (SettingsFile(tmp_path / "claude").read, lambda: SettingsFile(tmp_path / "claude").update(ACCEPT)):
        with pytest.raises(SettingsError, match="Not a directory") as caught:
            act()
        assert caught.value.trouble is SettingsTrouble.IO
