"""A replaced file keeps what the old one had besides its bytes, or is not replaced."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.effects.settings_room import AFTER, BEFORE, HOLD, SettingsRoom
from tui.domain.inbound import SettingsTrouble

if TYPE_CHECKING:
    from collections.abc import Iterator

AS_ROOT = os.geteuid() == 0
NOBODY = 65534
needs_root = pytest.mark.skipif(not AS_ROOT, reason="only root can make this")
needs_attributes = pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Python has no extended attributes here")
ACCESS_LIST, DEFAULT_LIST = "system.posix_acl_access", "system.posix_acl_default"


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def nobody() -> Iterator[SettingsRoom]:
    """A config directory of an ordinary user, who runs the test; root is asked to step down."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        room = SettingsRoom(Path(folder))
        os.chmod(folder, 0o700)  # noqa: PTH101
        if AS_ROOT:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        yield room
        if AS_ROOT:
            os.seteuid(0)


def set_attribute(path: Path, name: str, value: bytes) -> None:
    assert sys.platform == "linux"
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        pytest.skip(f"no {name} on this file system: {error.strerror}")


def access_list(named_user: int, mask: int) -> bytes:
    """What `setfacl -m u:USER:rw` makes of mode 0600: a version, then tag, permissions and id of each entry."""
    entries = ((0x01, 6, -1), (0x02, 6, named_user), (0x04, 0, -1), (0x10, mask, -1), (0x20, 0, -1))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o666, 0o700, 0o604])
def test_the_mode_is_kept_to_the_bit(room: SettingsRoom, mode: int) -> None:
    room.write().chmod(mode)
    room.update()
    assert stat.S_IMODE(room.file.stat().st_mode) == mode
    assert room.text() == AFTER


@pytest.mark.usefixtures("open_umask")
def test_an_open_umask_does_not_open_the_settings(room: SettingsRoom) -> None:
    room.update()
    assert stat.S_IMODE(room.file.stat().st_mode) == 0o600
    room.write().chmod(0o640)
    room.update()
    assert stat.S_IMODE(room.file.stat().st_mode) == 0o640


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o464])
def test_a_file_that_its_owner_protected_is_refused_even_to_root(room: SettingsRoom, mode: int) -> None:
    before = room.write()
    before.chmod(mode)
    error = room.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert error.message == f"Claude Code settings at {room.file} are read-only (mode {mode:04o})"
    assert room.text() == BEFORE
    assert stat.S_IMODE(room.file.stat().st_mode) == mode


def test_a_protected_file_that_says_so_already_needs_no_update(room: SettingsRoom) -> None:
    room.write().chmod(0o444)
    assert room.update(HOLD).policy is HOLD


def test_a_file_with_a_second_name_is_refused(room: SettingsRoom, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.hardlink_to(room.write())
    error = room.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert "have 2 names (hard links)" in error.message
    assert other.samefile(room.file)
    assert room.text() == BEFORE
    assert room.names() == ["settings.json"]


@needs_root
def test_another_owner_and_group_are_kept_with_the_mode(room: SettingsRoom) -> None:
    os.chown(room.write(), 4242, 4343)
    room.file.chmod(0o2640)
    room.update()
    after = room.file.stat()
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (4242, 4343, 0o2640)
    assert room.text() == AFTER


@needs_root
def test_an_owner_that_cannot_be_kept_is_a_refusal(nobody: SettingsRoom) -> None:
    nobody.write().chmod(0o666)
    os.seteuid(0)
    os.chown(nobody.file, 4242, 4343)
    os.seteuid(NOBODY)
    error = nobody.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert "belong to user 4242 and group 4343, which this user cannot keep" in error.message
    assert nobody.text() == BEFORE
    assert nobody.file.stat().st_uid == 4242
    assert nobody.names() == ["settings.json"]


def test_a_directory_that_cannot_be_written_is_an_io_error(nobody: SettingsRoom) -> None:
    nobody.write()
    nobody.folder.chmod(0o500)
    error = nobody.refusal()
    nobody.folder.chmod(0o700)
    assert error.trouble is SettingsTrouble.IO
    assert "Permission denied" in error.message
    assert nobody.text() == BEFORE
    assert nobody.names() == ["settings.json"]


def test_a_file_that_cannot_be_read_is_an_io_error(nobody: SettingsRoom) -> None:
    nobody.write().chmod(0o200)
    assert nobody.refusal().trouble is SettingsTrouble.IO
    nobody.file.chmod(0o600)
    assert nobody.text() == BEFORE


@needs_attributes
def test_extended_attributes_are_kept(room: SettingsRoom) -> None:
    assert sys.platform == "linux"
    room.write()
    set_attribute(room.file, "user.origin", b"dotfiles\x00\xff")
    set_attribute(room.file, "user.empty", b"")
    room.update()
    assert {name: os.getxattr(room.file, name) for name in os.listxattr(room.file) if name.startswith("user.")} == {
        "user.origin": b"dotfiles\x00\xff",
        "user.empty": b"",
    }
    assert room.text() == AFTER


@needs_attributes
def test_an_extended_attribute_that_cannot_be_kept_is_a_refusal(
    room: SettingsRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write()
    set_attribute(room.file, "user.origin", b"dotfiles")

    def refuse(*_arguments: Any) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(os, "setxattr", refuse)
    error = room.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert "have the extended attribute user.origin, which cannot be kept" in error.message
    assert room.text() == BEFORE
    assert room.names() == ["settings.json"]


@needs_attributes
def test_an_access_list_is_kept(room: SettingsRoom) -> None:
    assert sys.platform == "linux"
    room.write().chmod(0o600)
    set_attribute(room.file, ACCESS_LIST, access_list(4242, mask=6))
    before = room.file.stat().st_mode
    room.update()
    assert os.getxattr(room.file, ACCESS_LIST) == access_list(4242, mask=6)
    assert room.file.stat().st_mode == before


@needs_attributes
def test_no_access_list_is_inherited_from_the_directory(room: SettingsRoom) -> None:
    assert sys.platform == "linux"
    room.write().chmod(0o640)
    set_attribute(room.folder, DEFAULT_LIST, access_list(4242, mask=6))
    room.update()
    assert ACCESS_LIST not in os.listxattr(room.file)
    assert stat.S_IMODE(room.file.stat().st_mode) == 0o640


@needs_root
def test_an_immutable_file_is_an_io_error(room: SettingsRoom) -> None:
    room.write()
    chattr = shutil.which("chattr")
    if not chattr or subprocess.run([chattr, "+i", str(room.file)], capture_output=True, check=False).returncode:
        pytest.skip("no immutable flag on this file system")
    try:
        error = room.refusal()
    finally:
        subprocess.run([chattr, "-i", str(room.file)], check=True)
    assert error.trouble is SettingsTrouble.IO
    assert "Operation not permitted" in error.message
    assert room.text() == BEFORE
    assert room.names() == ["settings.json"]
