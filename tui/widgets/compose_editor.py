"""The editor for a message."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding
from textual.message import Message
from textual.widgets import TextArea

from tui.actions import EDITOR, bindings
from tui.domain.text import visible

if TYPE_CHECKING:
    from rich.text import Text
    from textual.binding import BindingType

_EDITING: Final = [
    replace(binding, id="editor." + re.sub(r"\W+", "-", binding.action).strip("-"), tooltip=f"{binding.description}.")
    for binding in TextArea.BINDINGS
    if isinstance(binding, Binding)
]
"""TextArea's own keys with the ids and tooltips that they lack."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class ComposeEditor(TextArea, inherit_bindings=False):
    """A TextArea that shows control characters instead of sending them to the terminal."""

    HELP: ClassVar[str] = """\
        ## Message

        Write as many lines as you like. **ctrl+s** sends the text, as it is, to the peer named above and to no other:
        if that session was replaced meanwhile, you are asked to look first.

        **escape** goes back to the table. The text is kept until it is sent, also when its peer goes away.
        """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(EDITOR), *_EDITING]

    class Left(Message):
        """The user goes back to the table."""

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Take every printable key, also while the text cannot be changed: `q` in a sentence must not quit."""
        return super().check_consume_key(key, character) or (character is not None and character.isprintable())

    def get_line(self, line_index: int) -> Text:
        """Return a line as it is drawn: pasted control characters become visible stand-ins of one cell each."""
        line = super().get_line(line_index)
        line.plain = _CONTROL.sub(lambda control: visible(control[0]), line.plain)
        return line

    def show_text(self, text: str) -> None:
        """Put another text into the editor, the cursor behind it, without the message of an edit."""
        with self.prevent(TextArea.Changed):
            self.text = text
            self.move_cursor(self.document.end)

    def action_newline(self) -> None:
        """Begin a new line."""
        if not self.read_only:
            self.replace("\n", *self.selection, maintain_selection_offset=False)

    def action_back(self) -> None:
        """Leave the text for the table."""
        self.post_message(self.Left())
