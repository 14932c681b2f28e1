"""The user-level inbound policy: what Claude Code does with messages from other sessions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SETTING: Final = "crossSessionInbound"
"""The key in the user's settings.json."""

CAVEAT: Final = (
    "This is the user-level value, not the effective one. Managed settings and --settings on a session's command line"
    " can override it, and a project's or local settings can make it stricter (accept < hold < refuse)."
)


class InboundPolicy(StrEnum):
    """The explicit values. Unset is a fourth state, written as None: the permission-mode default applies."""

    ACCEPT = "accept"
    """Messages are delivered without a separate approval."""
    HOLD = "hold"
    """Messages wait for the user's approval in the receiving session."""
    REFUSE = "refuse"
    """Messages are dropped."""


MEANINGS: Final[dict[InboundPolicy | None, str]] = {
    InboundPolicy.ACCEPT: "messages from other sessions are delivered at once",
    InboundPolicy.HOLD: "messages wait until the session's user approves them",
    InboundPolicy.REFUSE: "messages are dropped; the sender is told",
    None: "the permission-mode default: delivered between like modes, held otherwise",
}


@dataclass(frozen=True, slots=True)
class InboundSettings:
    """What the user's settings file says, at one moment."""

    path: Path
    """The file that was read."""
    revision: str
    """blake3 of the exact bytes, in hexadecimal; of no bytes where there is no file."""
    policy: InboundPolicy | None
    """The explicit user-level value; None when it is not set."""

    @property
    def user_allows_automatic_delivery(self) -> bool:
        """True only when the user level says accept. Other levels may still override or tighten it."""
        return self.policy is InboundPolicy.ACCEPT


class SettingsTrouble(StrEnum):
    """Why the settings could not be read or changed. Stable spellings."""

    IO = "io"
    """The operating system refused."""
    JSON = "json"
    """The file is not strict JSON."""
    INVALID = "invalid"
    """Its shape, its value or its kind of file is not one that can be read or kept safely."""
    CHANGED_DURING_WRITE = "changed_during_write"
    """Another program changed the file since it was last read; nothing was written."""


class SettingsError(Exception):
    """The settings could not be read or changed; the file is as it was unless `message` says otherwise."""

    def __init__(self, trouble: SettingsTrouble, message: str, hint: str) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.message = message
        """A sentence about what happened. It may quote the file and is untrusted text."""
        self.hint = hint
        """What to do about it."""
