"""How the command line ends."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes, stable."""

    OK = 0
    REFUSED = 1
    """Refused or failed; nothing was sent or changed."""
    USAGE = 2
    """Wrong usage or configuration."""
    UNREADABLE = 3
    """The registry or the settings cannot be read."""
    UNKNOWN = 4
    """The message may have been sent."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class CommandError(Exception):
    """Ends a command with a sentence on stderr."""

    def __init__(self, code: Exit, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
