"""The user's settings.json: read its inbound policy, change that one key, leave every other byte alone.

Claude Code sessions write the same file whenever they like, without a lock. So an update looks at the file again right
before it replaces it, and what it returns is what the file then says, not what was asked for.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from blake3 import blake3

from tui.domain.inbound import SETTING, InboundPolicy, InboundSettings, SettingsError, SettingsTrouble
from tui.domain.json_edit import JsonObject, parse_object
from tui.domain.json_scan import JsonSyntaxError
from tui.domain.text import one_line
from tui.effects.atomic_file import replace_file
from tui.effects.directory_lock import held_directory
from tui.effects.file_snapshot import FileSnapshot, read_through_links, refuse_oversize, take_snapshot
from tui.effects.settings_errors import as_settings_errors, changed_meanwhile
from tui.effects.temporary_file import remove_stale

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)

FILE_NAME: Final = "settings.json"
_NO_SETTINGS: Final = "{\n}\n"
"""What a missing or empty file stands for; also the layout of a new one."""
_TRUNCATION: Final = 0.05
"""Seconds. A writer that truncates in place has its bytes in the file long before that."""
_QUOTED: Final = 60
"""Cells of a foreign value that an error quotes."""


class SettingsFile:
    """The `SettingsStore` of one config directory. An empty file means the same as none: nothing is set."""

    def __init__(self, config_dir: Path) -> None:
        self._config_dir = config_dir
        self.path = config_dir / FILE_NAME
        """It may be a symbolic link; then it is read and never updated."""

    def read(self) -> InboundSettings:
        """Read the file as it is now. A missing one is not created.

        Raises:
            SettingsError: not readable, not strict JSON, not an object, or not one of the policies.
        """
        with as_settings_errors(self.path):
            content = read_through_links(self.path)
            return InboundSettings(self.path, _revision(content), self._policy(_document(content)))

    def update(self, policy: InboundPolicy | None, expected_revision: str | None = None) -> InboundSettings:
        """Set the user-level policy, or remove it for None, and return what the file says afterwards.

        Nothing is written where the file says so already. The directory is created where it is missing.

        Raises:
            SettingsError: the file is as it was, unless the message says otherwise.
        """
        with as_settings_errors(self.path):
            if not self._config_dir.exists():
                _refuse_other_revision(b"", expected_revision)
                if policy is None:
                    return self.read()
                self._config_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            with held_directory(self._config_dir) as held:
                if held.exclusive:
                    remove_stale(held.descriptor)
                changed = _change(held.descriptor, policy, expected_revision)
        _log.info("settings %s", "changed" if changed else "left as they were")
        return self._read_back() if changed else self.read()

    def _policy(self, document: JsonObject) -> InboundPolicy | None:
        member = document.member(SETTING)
        if member is None:
            return None
        if member.value not in set(InboundPolicy):
            value = one_line(document.spelling(member), _QUOTED)
            message = (
                f"Claude Code setting `{SETTING}` at {self.path} must be `accept`, `hold`, or `refuse`, not {value}"
            )
            raise SettingsError(SettingsTrouble.INVALID, message, "Set one of the three, or reset it.")
        return InboundPolicy(member.value)

    def _read_back(self) -> InboundSettings:
        try:
            return self.read()
        except SettingsError as error:
            message = f"The change was written, but the file cannot be read now: {error.message}"
            raise SettingsError(error.trouble, message, error.hint) from error


def sweep_stale(config_dir: Path) -> None:
    """Remove what a killed peerdeck left of an update. Does nothing while another one is updating, and never fails."""
    with suppress(OSError), held_directory(config_dir, patience=0) as held:
        if held.exclusive:
            remove_stale(held.descriptor)


def _change(directory: int, policy: InboundPolicy | None, expected_revision: str | None) -> bool:
    """Edit the file in an open directory; return whether there was anything to change."""
    seen = _settled(directory)
    _refuse_other_revision(seen.content, expected_revision)
    document = _document(seen.content)
    edited = document.without(SETTING) if policy is None else document.with_member(SETTING, policy.value)
    if edited == document.text:
        return False
    parse_object(edited)  # an edit that broke the text must not get as far as the file
    content = edited.encode()
    refuse_oversize(content)
    replace_file(directory, FILE_NAME, seen, content)
    return True


def _settled(directory: int) -> FileSnapshot:
    """Look at the file; at an empty one twice, since it may be that another program is just writing it in place."""
    seen = take_snapshot(directory, FILE_NAME)
    if seen.traits is None or seen.content:
        return seen
    time.sleep(_TRUNCATION)
    return take_snapshot(directory, FILE_NAME)


def _document(content: bytes) -> JsonObject:
    if not content:
        return parse_object(_NO_SETTINGS)
    try:
        return parse_object(content.decode())
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        raise JsonSyntaxError(f"Byte 0x{content[error.start]:02x} is not UTF-8", before, len(before)) from error


def _refuse_other_revision(content: bytes, expected: str | None) -> None:
    if expected is not None and expected != _revision(content):
        raise changed_meanwhile()


def _revision(content: bytes) -> str:
    return blake3(content).hexdigest()
