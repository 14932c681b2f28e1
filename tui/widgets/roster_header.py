"""The line at the top: how many peers do what, and where they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from tui.domain.rows import directory, summary
from tui.domain.text import cell_width, tail_capped

if TYPE_CHECKING:
    from pathlib import Path

    from tui.domain.roster import Roster

_TITLE: Final = "peerdeck"
_GAP: Final = 2
_LEAST: Final = 12
"""A registry path narrower than this many cells says nothing."""


class RosterHeader(Widget):
    """Shows the counts, and the registry's path and this program's version where there is room."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"roster-header--title", "roster-header--path"}

    roster: reactive[Roster | None] = reactive(None)

    def __init__(self, *, registry: Path, home: str, version: str) -> None:
        super().__init__()
        self._version = version
        self._registry = directory(str(registry), home)

    def render(self) -> Content:
        """Put the title and the counts left, the path and the version right; what does not fit is left out."""
        counts = summary(self.roster.peers) if self.roster else "reading"
        left = Content.assemble((_TITLE, self.get_visual_style("roster-header--title")), " " * _GAP, counts)
        room = self.size.width - left.cell_length - _GAP
        if room < _LEAST:
            return left
        both = f"{self._registry}{' ' * _GAP}{self._version}"
        right = both if cell_width(both) <= room else tail_capped(self._registry, room)
        space = " " * (self.size.width - left.cell_length - cell_width(right))
        return Content.assemble(left, space, (right, self.get_visual_style("roster-header--path")))
