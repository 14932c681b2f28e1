"""A peer and what is marked on it -> the cells of its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tui.domain.dispatch import ON_ITS_WAY
from tui.domain.rows import UNNAMED, Badge, Tone, row
from tui.domain.text import capped, cell_width, tail_capped
from tui.widgets.keyed_table import Cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.style import Style

    from tui.domain.peers import Peer
    from tui.domain.rows import Row
    from tui.widgets.peer_columns import Column

_LEAST_DETAIL: Final = 6
"""Cells of a status' details below which they say nothing."""

DRAFT: Final = Badge("✎", "draft", Tone.ACTIVE)


@dataclass(frozen=True, slots=True)
class Marks:
    """What the dashboard adds to a peer's name."""

    namesakes: int = 0
    """How many live peers share the name, this one included; 0 where it is unique."""
    has_draft: bool = False
    dispatch: Badge | None = None
    """How the letter to it is doing."""

    def badges(self, peer: Peer) -> list[Badge]:
        """Return them, what matters most first."""
        shown = [self.dispatch] if self.dispatch else []
        if self.has_draft and self.dispatch is not ON_ITS_WAY:
            shown.append(DRAFT)
        if self.namesakes:
            shown.append(Badge(f"×{self.namesakes}", f"pid {peer.pid}", Tone.ATTENTION))
        return shown


@dataclass(frozen=True, slots=True)
class CellStyle:
    """What cells need to know besides the peer."""

    columns: Sequence[Column]
    tones: Mapping[Tone, Style]
    plain: Style
    home: str


def row_of_cells(peer: Peer, marks: Marks, now_ms: int, style: CellStyle) -> tuple[Cell, ...]:
    """Return one cell a column, each within the column's width."""
    shown = row(peer, now_ms, style.home)
    return tuple(_cell(peer, shown, marks, column, style) for column in style.columns)


def _cell(peer: Peer, shown: Row, marks: Marks, column: Column, style: CellStyle) -> Cell:
    key = str(peer.pid)
    match column.key:
        case "badge":
            return Cell(key, _status(shown.badge, column.width), style.tones[shown.badge.tone])
        case "name":
            return _name_cell(peer, shown, marks, column.width, style)
        case "directory":
            return Cell(key, tail_capped(shown.directory, column.width), style.plain)
        case _:
            return Cell(key, capped(getattr(shown, column.key), column.width), style.tones[Tone.FAINT])


def _status(badge: Badge, width: int) -> str:
    """Return the status with its details, or without them where hardly anything of them would be left."""
    whole = str(badge)
    plain = whole.partition(",")[0]
    return plain if cell_width(plain) <= width < cell_width(plain) + _LEAST_DETAIL else capped(whole, width)


def _name_cell(peer: Peer, shown: Row, marks: Marks, width: int, style: CellStyle) -> Cell:
    """Put the marks behind the name: in words where there is room, else as glyphs, which are never cut."""
    badges = marks.badges(peer)
    words = [str(badge) for badge in badges]
    if cell_width(shown.name) + _width(words) > width:
        words = [badge.glyph for badge in badges]
    faint = shown.name == UNNAMED
    name_style = style.tones[Tone.FAINT] if faint else style.plain
    cell = Cell(str(peer.pid), capped(shown.name, max(1, width - _width(words))), name_style)
    for badge, word in zip(badges, words, strict=True):
        cell.append(" ")
        cell.append(word, style.tones[badge.tone])
    return cell


def _width(words: Sequence[str]) -> int:
    return sum(1 + cell_width(word) for word in words)
