"""Change one member of a JSON object's text, and nothing else.

People keep settings under version control, and a number such as `1e400` or a lone surrogate does not survive being
read and written again. So nothing is: the text is checked, the place of each top-level member is noted, and an
edit cuts or fills in just that place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tui.domain.json_scan import BOM, JsonSyntaxError, expect, expect_end, scan_value, skip_space

if TYPE_CHECKING:
    from collections.abc import Iterator

_INDENT: Final = "  "


class NotAnObjectError(ValueError):
    """The text is strict JSON, and its top level is not an object."""


@dataclass(frozen=True, slots=True)
class Member:
    """One `"key": value` at the top level, and where it stands: offsets into the document's text."""

    key: str
    value: str | None
    """The decoded value where it is a string, else None."""
    start: int
    key_end: int
    value_start: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonObject:
    """The text of a strict JSON object. Made by `parse_object`."""

    text: str
    opened: int
    """Offset just after the object's `{`."""
    members: tuple[Member, ...]
    """In the order of the text, equal keys included."""

    def member(self, key: str) -> Member | None:
        """Return the member that counts: of equal keys the last, as JavaScript's JSON.parse has it."""
        return next((member for member in reversed(self.members) if member.key == key), None)

    def spelling(self, member: Member) -> str:
        """Return the value of `member` as it is written."""
        return self.text[member.value_start : member.end]

    def with_member(self, key: str, value: str) -> str:
        """Return the text in which `key` is the string `value`; the same text where it is already.

        A new member comes last and is laid out like the one before it. `without` takes it away again to the byte.
        """
        member = self.member(key)
        if member is None:
            return self._with_new_member(key, value)
        if member.value == value:
            return self.text
        return self.text[: member.value_start] + json.dumps(value) + self.text[member.end :]

    def without(self, key: str) -> str:
        """Return the text without any member named `key`; the same text where there is none.

        What separates a member from the next goes with it; the last one takes the separator before it instead.
        """
        if not self.members:
            return self.text
        kept = [index for index, member in enumerate(self.members) if member.key != key]
        rest = self.text[self.members[-1].end :]
        if not kept:
            return self.text[: self.opened] + rest
        head = self.text[: self.members[0].start]
        body = (self.text[self.members[index].start : self.members[index + 1].start] for index in kept[:-1])
        last = self.members[kept[-1]]
        return head + "".join(body) + self.text[last.start : last.end] + rest

    def _with_new_member(self, key: str, value: str) -> str:
        if self.members:
            last = self.members[-1]
            colon, at = self.text[last.key_end : last.value_start], last.end
            lead = self._separator(colon)
        else:
            lead, colon, at = self._first_lead(), ": ", self.opened
        return self.text[:at] + lead + json.dumps(key) + colon + json.dumps(value) + self.text[at:]

    def _first_lead(self) -> str:
        """Return what goes before a first member. The space inside `{ }` stays, behind it, for `without` to find."""
        inside = self.text[self.opened : skip_space(self.text, self.opened)]
        return _last_line(inside) + _INDENT if "\n" in inside or "\r" in inside else inside

    def _separator(self, colon: str) -> str:
        """Return what goes before a new last member: as between the last two, or else as before the only one."""
        if len(self.members) > 1:
            return self.text[self.members[-2].end : self.members[-1].start]
        lead = _last_line(self.text[self.opened : self.members[0].start])
        return "," + (lead or " " * colon.endswith(" "))


def parse_object(text: str) -> JsonObject:
    """Check that `text` is one strict JSON object and note where its members stand.

    A byte order mark in front is tolerated, as Claude Code does, and stays. Stricter than `json.loads` in that NaN and
    Infinity are errors; more patient in that a number may have any length.

    Raises:
        JsonSyntaxError: not strict JSON, or nested deeper than the parser goes.
        NotAnObjectError: strict JSON of another kind.
    """
    start = skip_space(text, len(BOM) if text.startswith(BOM) else 0)
    if not text.startswith("{", start):
        expect_end(text, scan_value(text, start)[1])
        raise NotAnObjectError
    first = skip_space(text, start + 1)
    members = () if text.startswith("}", first) else tuple(_members(text, first))
    after = members[-1].end if members else first
    expect_end(text, expect(text, after, "}", "Expecting ',' or '}'"))
    return JsonObject(text, start + 1, members)


def _members(text: str, at: int) -> Iterator[Member]:
    while True:
        member = _member(text, at)
        yield member
        comma = skip_space(text, member.end)
        if not text.startswith(",", comma):
            return
        at = skip_space(text, comma + 1)


def _member(text: str, at: int) -> Member:
    if not text.startswith('"', at):
        raise JsonSyntaxError("Expecting property name enclosed in double quotes", text, at)
    key, key_end = scan_value(text, at)
    value_start = skip_space(text, expect(text, key_end, ":", "Expecting ':'"))
    value, end = scan_value(text, value_start)
    return Member(str(key), value if isinstance(value, str) else None, at, key_end, value_start, end)


def _last_line(space: str) -> str:
    """Return the last line break in `space` with the indentation after it; all of `space` where it is on one line."""
    line_break = max(space.rfind("\n"), space.rfind("\r"))
    if space[line_break - 1 : line_break + 1] == "\r\n":
        line_break -= 1
    return space[max(line_break, 0) :]
