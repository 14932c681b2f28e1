"""Untrusted text -> one safe line.

A name, a directory or a courier's answer may hold escape sequences, line breaks or characters that turn the
reading direction. A terminal obeys those, so each is replaced by a visible stand-in before any of it is shown.
"""

from __future__ import annotations

import unicodedata

STAND_IN = "\N{REPLACEMENT CHARACTER}"
ELLIPSIS = "…"

_CONTROL_PICTURES = 0x2400  # U+2400 + n is the picture of the C0 control n
_DELETE, _DELETE_PICTURE = 0x7F, "\N{SYMBOL FOR DELETE}"
_EMOJI_PRESENTATION = "\N{VARIATION SELECTOR-16}"
# Controls, formats (bidi, zero width), surrogates, unassigned, and the two Unicode line breaks.
_UNSHOWABLE = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """Return `text` on one line with every control, format and bidi character replaced by a visible stand-in."""
    if text.isprintable():
        return text
    return "".join(map(_stand_in, text))


def cell_width(text: str) -> int:
    """Return how many terminal cells `text` takes at the most.

    Terminals disagree about emoji sequences; this counts the larger number, so that a cap on it always holds.
    """
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def capped(text: str, width: int) -> str:
    """Return the beginning of `text` within `width` cells, the cut marked by an ellipsis."""
    return _cut(text, width, reverse=False)


def tail_capped(text: str, width: int) -> str:
    """Return the end of `text` within `width` cells, the cut marked by an ellipsis in front."""
    return _cut(text, width, reverse=True)


def one_line(text: str, width: int) -> str:
    """Return `text` made visible and capped: what anything from outside goes through before it is shown."""
    # A cell holds one base character; cutting first keeps a megabyte of text from being looked at one by one.
    return capped(visible(text[: width * 4 + 1]), width)


def _stand_in(character: str) -> str:
    code = ord(character)
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    return STAND_IN if unicodedata.category(character) in _UNSHOWABLE else character


def _cells(character: str) -> int:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    if character == _EMOJI_PRESENTATION:
        return 1  # it may widen the character before it
    return 0 if unicodedata.category(character) in {"Mn", "Me"} else 1


def _cut(text: str, width: int, *, reverse: bool) -> str:
    if width <= 0:
        return ""
    if len(text) <= width * 4 and cell_width(text) <= width:
        return text
    kept: list[str] = []
    room = width - 1  # one cell for the ellipsis
    for character in reversed(text) if reverse else text:
        room -= _cells(character)
        if room < 0 or len(kept) >= width * 4:
            break
        kept.append(character)
    return ELLIPSIS + "".join(reversed(kept)) if reverse else "".join(kept) + ELLIPSIS
