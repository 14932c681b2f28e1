"""The line under the editor: a badge, a sentence and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widgets import Static

from tui.domain.rows import Tone

if TYPE_CHECKING:
    from tui.widgets.compose_notes import Note


class NoteLine(Static):
    """Shows one note literally, and takes no room when there is none."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"note-line--hint", *(f"note-line--{tone}" for tone in Tone)}

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(markup=False, id=id)
        self._note: Note | None = None
        self.display = False

    def show(self, note: Note | None) -> None:
        """Show this note instead of the one before."""
        self.display = note is not None
        if note != self._note:
            self._note = note
            self.refresh(layout=True)

    def render(self) -> Content:
        """Assemble the note from its parts; none of them is markup."""
        note = self._note
        if note is None:
            return Content()
        badge = (
            f" {note.badge.glyph} {note.badge.word.upper()} ",
            self.get_visual_style(f"note-line--{note.badge.tone}"),
        )
        hint = (f" {note.hint}", self.get_visual_style("note-line--hint"))
        return Content.assemble(badge, " ", note.sentence, hint if note.hint else "")
