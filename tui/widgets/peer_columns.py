"""Which columns fit into a width, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PADDING: Final = 2
"""What DataTable adds to each column's width, in cells."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of peers; `key` is the attribute of `rows.Row` that it shows."""

    key: str
    label: str
    width: int
    """Cells without the padding."""


_LABELS: Final = {
    "badge": "Status",
    "age": "Age",
    "name": "Name",
    "directory": "Directory",
    "kind": "Kind",
    "version": "Version",
}
_AGE: Final = 4
_LEAST: Final = 8
_NARROW: Final = {"badge": 9, "age": _AGE}
_MIDDLE: Final = {"badge": 18, "age": _AGE}
_WIDE: Final = {"badge": 28, "age": _AGE, "kind": 11, "version": 8}
_KIND_WHOLE: Final = 25
"""Cells of `interactive claude-vscode`."""
_MIDDLE_FROM: Final = 64
_WIDE_FROM: Final = 112
_AGE_FROM: Final = 32


def columns_for(width: int) -> tuple[Column, ...]:
    """Return the columns for a pane of `width` cells; together they fill it."""
    if width >= _WIDE_FROM:
        kind = min(_KIND_WHOLE, _WIDE["kind"] + (width - _WIDE_FROM) // 2)
        return _fill(width, ("badge", "age", "name", "directory", "kind", "version"), _WIDE | {"kind": kind})
    if width >= _MIDDLE_FROM:
        return _fill(width, ("badge", "age", "name", "directory"), _MIDDLE)
    return _fill(width, ("badge", "age", "name") if width >= _AGE_FROM else ("badge", "name"), _NARROW)


def _fill(width: int, keys: tuple[str, ...], fixed: dict[str, int]) -> tuple[Column, ...]:
    """Share what the fixed columns leave between name and directory, which is given the larger part."""
    room = width - PADDING * len(keys) - sum(fixed[key] for key in keys if key in fixed)
    name = room * 2 // 5 if "directory" in keys else room
    shared = {"name": max(_LEAST, name), "directory": max(_LEAST, room - name)}
    return tuple(Column(key, _LABELS[key], (fixed | shared)[key]) for key in keys)
