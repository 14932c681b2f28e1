"""What the words of a courier and of its program say. They are hints to a person, and never evidence alone."""

from __future__ import annotations

import re
from typing import Final

from tui.domain.courier import NOT_FOUND_WORD, SENT_WORD


def _alone(word: str) -> re.Pattern[str]:
    """Match a line that is this word, be it emphasised, quoted or with a full stop."""
    return re.compile(rf"[\s*_~`\"'“”]*{word}[\s*_~`\"'“”.!]*")


_SENT_LINE: Final = _alone(SENT_WORD)
_NOT_FOUND_LINE: Final = _alone(NOT_FOUND_WORD)
_OTHER_VERDICT: Final = re.compile(rf"(?m)^[ \t*_~`]*(?:{NOT_FOUND_WORD}|REFUSED|HELD|FAILED|ERROR|NOT {SENT_WORD})\b")
_UNKNOWN_FLAG: Final = re.compile(r"unknown option '?(--?[\w-]+)")


def says_sent(answer: str) -> bool:
    """Whether the last line of an answer is the word SENT and no line says otherwise."""
    return _ends_with(_SENT_LINE, answer) and not _OTHER_VERDICT.search(answer)


def says_not_found(answer: str) -> bool:
    """Whether the last line of an answer is the word NOT_FOUND."""
    return _ends_with(_NOT_FOUND_LINE, answer)


def unknown_flag(stderr: str) -> str:
    """Return the option that a program says it does not know; empty when it says no such thing."""
    flag = _UNKNOWN_FLAG.search(stderr)
    return flag[1] if flag else ""


def _ends_with(line: re.Pattern[str], answer: str) -> bool:
    lines = answer.strip().splitlines()
    return bool(lines) and bool(line.fullmatch(lines[-1]))
