"""What went wrong with the settings file, in the words that a user sees."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tui.domain.inbound import SettingsError, SettingsTrouble
from tui.domain.json_edit import NotAnObjectError
from tui.domain.json_scan import JsonSyntaxError
from tui.effects.atomic_file import ChangedFileError
from tui.effects.file_snapshot import LinkedFileError, RefusedFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BY_HAND: Final = "Correct the file by hand; peerdeck leaves it as it is."
_STRICT: Final = f"Claude Code wants strict JSON in UTF-8, without comments and trailing commas. {_BY_HAND}"
_LOOK_AGAIN: Final = "Look at the settings again, then repeat the change if it is still wanted."
_LOOK_AT_PERMISSIONS: Final = "Look at the permissions and attributes of the file and its directory."
_HINTS: Final = {
    errno.ENOSPC: "Free some space, then try again.",
    errno.EDQUOT: "Free some space, then try again.",
    errno.EBUSY: "The file may be mounted on its own; change it where it is mounted from.",
    errno.EAGAIN: "Another peerdeck is changing the settings; try again.",
    errno.EACCES: _LOOK_AT_PERMISSIONS,
    errno.EPERM: _LOOK_AT_PERMISSIONS,
    errno.EROFS: "The file system is mounted read-only; change the file where it is written.",
}
_DEFAULT_HINT: Final = "Look at the file and its directory, then try again."


@contextmanager
def as_settings_errors(path: Path) -> Iterator[None]:
    """Turn whatever reading or replacing the settings at `path` can raise into a `SettingsError`."""
    try:
        yield
    except LinkedFileError as error:
        raise _linked(path, error.target) from error
    except RefusedFileError as error:
        message = f"Claude Code settings at {path} {error.finding}"
        raise SettingsError(SettingsTrouble.INVALID, message, error.hint) from error
    except ChangedFileError as error:
        raise changed_meanwhile(error.target) from error
    except JsonSyntaxError as error:
        message = f"Claude Code settings JSON is invalid: {error} of {path}"
        raise SettingsError(SettingsTrouble.JSON, message, _STRICT) from error
    except NotAnObjectError as error:
        message = f"Claude Code settings at {path} must be a JSON object"
        raise SettingsError(SettingsTrouble.INVALID, message, _BY_HAND) from error
    except OSError as error:
        message = f"Claude Code settings I/O failed: {path}: {error.strerror or error}"
        raise SettingsError(SettingsTrouble.IO, message, _HINTS.get(error.errno or 0, _DEFAULT_HINT)) from error


def changed_meanwhile(target: str | None = None) -> SettingsError:
    """Another program changed the settings; with `target`, it made them a link to that."""
    link = "" if target is None else f" (the file is now a link to {target})"
    message = (
        f"Claude Code settings changed while peerdeck was updating them{link}; retry the explicit configuration action"
    )
    return SettingsError(SettingsTrouble.CHANGED_DURING_WRITE, message, _LOOK_AGAIN)


def _linked(path: Path, target: str) -> SettingsError:
    message = f"refusing to replace symlinked Claude Code settings at {path}, a link to {target}"
    hint = f"Change the file that it leads to by hand: {os.path.realpath(path)}"
    return SettingsError(SettingsTrouble.INVALID, message, hint)
