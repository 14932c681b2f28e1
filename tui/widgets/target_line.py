"""Whom the compose pane writes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from tui.domain.rows import Tone, row
from tui.domain.text import capped, cell_width, tail_capped
from tui.widgets.compose_notes import GONE

if TYPE_CHECKING:
    from tui.domain.peers import Peer

_LEAST: Final = 8
"""A part narrower than this many cells says nothing and is left out."""


class TargetLine(Widget):
    """Name, status and directory of one peer on one line; what does not fit is cut or left out, the name last."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"target-line--name", *(f"target-line--{tone}" for tone in Tone)}

    peer: reactive[Peer | None] = reactive(None)
    is_gone: reactive[bool] = reactive(False)
    """What the peer last said of itself is not true any more."""

    def __init__(self, *, home: str) -> None:
        super().__init__()
        self._home = home

    def render(self) -> Content:
        """Fill the width from the left."""
        if self.peer is None:
            return Content("No one to write to")
        shown = row(self.peer, 0, self._home)
        badge = GONE if self.is_gone else shown.badge
        room = self.size.width - len("To ")
        name = capped(shown.name, room)
        room -= cell_width(name) + 2
        status = capped(str(badge), room) if room >= _LEAST else ""
        room -= cell_width(status) + 2
        pid = f"  pid {self.peer.pid}" if room >= cell_width(shown.directory) + 2 * _LEAST else ""
        directory = tail_capped(shown.directory, room) if room >= _LEAST else ""
        return Content.assemble(
            "To ",
            (name, self.get_visual_style("target-line--name")),
            *(("  ", (status, self.get_visual_style(f"target-line--{badge.tone}"))) if status else ()),
            (f"  {directory}{pid}" if directory else "", self.get_visual_style(f"target-line--{Tone.FAINT}")),
        )
