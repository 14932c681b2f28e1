"""The opaque address of a live peer: `cc-peer:v1:<pid>:<name>:<socketPath>`.

It is a projection of the registry, never an authority: whoever sends reads the registry again, since a process can
end and a name can move after the endpoint was made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

ENDPOINT_PREFIX: Final = "cc-peer:v1:"
_FIELDS: Final = 3
_PID: Final = re.compile(r"0*([0-9]{1,10})", re.ASCII)
_LAST_PID: Final = 2**32 - 1
_ESCAPES: Final = re.compile(r"((?:%[0-9a-fA-F]{2})+)|%[0-9a-fA-F]")


class EndpointError(ValueError):
    """The text is not a `cc-peer:v1:<pid>:<name>:<socketPath>` endpoint."""

    def __init__(self) -> None:
        super().__init__("not a Claude Code peer endpoint")


@dataclass(frozen=True, slots=True)
class PeerEndpoint:
    """Where a peer can be written to, as its registry record said when the endpoint was made."""

    text: str
    """The whole endpoint. Made by `make` or checked by `parse`."""

    @classmethod
    def make(cls, pid: int, name: str, socket_path: str) -> PeerEndpoint:
        """Spell out an endpoint; `%` and `:` are escaped in the name and the path, so that the fields stay apart."""
        return cls(f"{ENDPOINT_PREFIX}{pid}:{_encode(name)}:{_encode(socket_path)}")

    @classmethod
    def parse(cls, text: str) -> PeerEndpoint:
        """Read an endpoint.

        Raises:
            EndpointError: the scheme is another, a field is missing or empty, or the pid is none.
        """
        if not text.startswith(ENDPOINT_PREFIX):
            raise EndpointError
        fields = text.removeprefix(ENDPOINT_PREFIX).split(":", 2)
        if len(fields) < _FIELDS or not all(fields) or not 0 <= _pid(fields[0]) <= _LAST_PID:
            raise EndpointError
        return cls(text)

    @property
    def pid(self) -> int:
        """The process that held the session when the endpoint was made."""
        return _pid(self._fields()[0])

    @property
    def name(self) -> str:
        """The display name, which is also the address."""
        return _decode(self._fields()[1])

    @property
    def socket_path(self) -> str:
        """The session's inbox."""
        return _decode(self._fields()[2])

    def __str__(self) -> str:
        return self.text

    def _fields(self) -> list[str]:
        return self.text.removeprefix(ENDPOINT_PREFIX).split(":", 2)


def _encode(field: str) -> str:
    return field.replace("%", "%25").replace(":", "%3A")


def _pid(field: str) -> int:
    """Read a process id; -1 for what is none. Zeros in front do not count, however many they are."""
    digits = _PID.fullmatch(field)
    return int(digits[1]) if digits else -1


def _decode(field: str) -> str:
    """Undo `_encode` as the first reader of the scheme does: a `%` without a whole escape stays, a lone digit lowered.

    Only what is escaped is decoded as UTF-8, so that a name that is no valid Unicode comes back as it was.
    """
    return _ESCAPES.sub(_unescape, field) if "%" in field else field


def _unescape(escape: re.Match[str]) -> str:
    whole = escape[1]
    return bytes.fromhex(whole.replace("%", "")).decode("utf-8", "replace") if whole else escape[0].lower()
