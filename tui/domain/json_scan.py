"""Reading strict JSON text piece by piece, each piece with the offset after it. No number is ever converted."""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""A byte order mark in front of a document; it is none of its characters."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")  # RFC 8259, section 2
_STRING_OR_CONSTANT: Final = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)', re.DOTALL)


class JsonSyntaxError(ValueError):
    """The text is not strict JSON (RFC 8259)."""

    def __init__(self, reason: str, text: str, offset: int) -> None:
        before = text[:offset].removeprefix(BOM)
        self.reason = reason
        self.line = before.count("\n") + 1
        """From 1."""
        self.column = len(before) - before.rfind("\n")
        """From 1, in characters."""
        super().__init__(f"{reason} at line {self.line} column {self.column}")


class _ConstantError(Exception):
    """A word that Python's parser knows and JSON does not."""


def _reject_constant(word: str) -> NoReturn:
    raise _ConstantError(word)


def _leave_number(_digits: str) -> None:
    """Convert nothing: int() refuses thousands of digits, and float() turns 1e400 into infinity."""


_DECODER: Final = json.JSONDecoder(parse_int=_leave_number, parse_float=_leave_number, parse_constant=_reject_constant)


def scan_value(text: str, at: int) -> tuple[object, int]:
    """Read the value that starts at `at`; return it, with None for each number, and the offset after it.

    Raises:
        JsonSyntaxError: it is not strict JSON, or nested deeper than the parser goes.
    """
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(error.msg, text, error.pos) from None
    except _ConstantError as error:
        raise JsonSyntaxError(f"{error} is not JSON", text, _constant_offset(text, at)) from None
    except RecursionError:
        raise JsonSyntaxError("Nested too deeply", text, at) from None


def expect(text: str, at: int, mark: str, reason: str) -> int:
    """Return the offset after `mark`, which has to be the next thing from `at` on.

    Raises:
        JsonSyntaxError: something else is; `reason` says what is missing.
    """
    at = skip_space(text, at)
    if not text.startswith(mark, at):
        raise JsonSyntaxError(reason, text, at)
    return at + len(mark)


def expect_end(text: str, at: int) -> None:
    """Make sure that nothing but space follows.

    Raises:
        JsonSyntaxError: something does.
    """
    at = skip_space(text, at)
    if at != len(text):
        raise JsonSyntaxError("Extra data", text, at)


def skip_space(text: str, at: int) -> int:
    """Return the offset of the first character from `at` on that is not space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _constant_offset(text: str, at: int) -> int:
    """Find the word that the parser stumbled over; everything from `at` up to it is sound JSON."""
    return next(found.start() for found in _STRING_OR_CONSTANT.finditer(text, at) if found[1])
