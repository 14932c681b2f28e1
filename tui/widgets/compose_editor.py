"""The editor for messages: one text a peer process, kept until it is sent."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from tui.actions import EDITOR, bindings
from tui.domain.drafts import Draft, Drafts, PeerProcess, letter_text, process_of
from tui.domain.text import visible
from tui.messages import OutcomeSeen

if TYPE_CHECKING:
    from collections.abc import Container

    from rich.text import Text
    from textual.binding import BindingType

    from tui.domain.peers import Peer

_EDITING: Final = [
    replace(binding, id="editor." + re.sub(r"\W+", "-", binding.action).strip("-"), tooltip="in the text")
    for binding in TextArea.BINDINGS
    if isinstance(binding, Binding)
]
"""TextArea's own keys with the ids and tooltips that they lack."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class ComposeEditor(TextArea, inherit_bindings=False):
    """Shows the text for one peer at a time and keeps those for all others."""

    HELP: ClassVar[str] = """\
        ## Message

        Write as many lines as you like. **ctrl+s** sends the text, as it is, to the peer named above and to no other:
        if that session was replaced meanwhile, you are asked to look first.

        **ctrl+x** calls back a courier that is on its way; **escape** goes back to the table and leaves it at work. A
        text is kept until it is sent, also when its peer goes away.
        """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(EDITOR), *_EDITING]

    class Drafted(Message):
        """These processes have a text that is not sent."""

        def __init__(self, processes: frozenset[PeerProcess]) -> None:
            super().__init__()
            self.processes = processes

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, compact=True, highlight_cursor_line=False)
        self._drafts = Drafts()
        self._owner: Peer | None = None
        """Whose text is shown."""

    def turn_to(self, peer: Peer | None) -> None:
        """Show the text for this peer; the one shown before is kept."""
        if peer and self._owner and process_of(peer) == process_of(self._owner):
            return
        self.keep()
        self._owner = peer
        self._show(self._drafts.text(process_of(peer)) if peer else "")

    def keep(self) -> None:
        """Keep the text that is shown, if it was changed."""
        if self._owner is None or self.text == self._drafts.text(process_of(self._owner)):
            return
        self._drafts.write(self._owner, self.text)
        self._tell()
        self.app.post_message(OutcomeSeen(process_of(self._owner)))

    def forget(self, peer: Peer, sent: str) -> None:
        """Drop the text for this peer, which was sent; another one than that is kept."""
        self.keep()
        if letter_text(self._drafts.text(process_of(peer))) != sent:
            return
        self._drafts.write(peer, "")
        self._tell()
        if self._owner and process_of(self._owner) == process_of(peer):
            self._show("")

    def take_along(self, peer: Peer, living: Container[PeerProcess]) -> None:
        """Give this peer the text of one that is gone, unless it has one of its own."""
        self.keep()
        if self._drafts.take_along(peer, living):
            self._owner = None
            self._tell()

    @property
    def drafts(self) -> list[Draft]:
        """All texts that are not sent."""
        self.keep()
        return self._drafts.all()

    def has_draft(self, peer: Peer) -> bool:
        """Whether a text is kept for this peer."""
        return bool(self._drafts.text(process_of(peer)))

    def homeless(self, living: Container[PeerProcess]) -> Draft | None:
        """Return the text that outlived its peer, the one written last."""
        return self._drafts.homeless(living)

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Take every printable key, also while the text cannot be changed: `q` in a sentence must not quit."""
        return super().check_consume_key(key, character) or (character is not None and character.isprintable())

    def get_line(self, line_index: int) -> Text:
        """Return a line as it is drawn: pasted control characters become visible stand-ins of one cell each."""
        line = super().get_line(line_index)
        line.plain = _CONTROL.sub(lambda control: visible(control[0]), line.plain)
        return line

    def action_newline(self) -> None:
        """Begin a new line."""
        if not self.read_only:
            self.replace("\n", *self.selection, maintain_selection_offset=False)

    def _show(self, text: str) -> None:
        with self.prevent(TextArea.Changed):
            self.text = text
            # `move_cursor` does nothing while the cursor is hidden, and would leave it where the new text has no line.
            self.selection = Selection.cursor(self.document.end)

    def _tell(self) -> None:
        # Straight to the screen: a message that is made while a parent handles another one does not bubble beyond it.
        self.screen.post_message(self.Drafted(self._drafts.processes()))
