"""The line at the bottom: what the keys do here."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.content import Content
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.events import Click
    from textual.screen import Screen

_GAPS: Final = (2, 1)
"""Cells between two entries: where there is room, and where there is not."""


class KeyLine(Widget):
    """Shows the bindings that are meant for it, each whole or not at all; a click does what the key does.

    Textual's Footer mounts a widget a key, anew at each change of the focus: 60 ms that are felt between a key press
    and the cursor in the editor. This is one widget that is drawn again.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-line--key"}

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[range, str]] = []
        """Which cells mean which key."""

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def render(self) -> Content:
        """Fill the line from the left."""
        entries = [(key, self._entry(name, title)) for key, name, title in self._entries()]
        width = sum(entry.cell_length for _, entry in entries)
        gap = next((gap for gap in _GAPS if width + gap * len(entries) <= self.size.width), _GAPS[-1])
        line = Content(" " * (gap - 1))
        self._places = []
        for key, entry in entries:
            if line.cell_length + entry.cell_length > self.size.width:
                break
            self._places.append((range(line.cell_length, line.cell_length + entry.cell_length), key))
            line = line + entry + " " * gap
        return line

    def on_click(self, event: Click) -> None:
        """Press the key that was clicked."""
        for place, key in self._places:
            if event.x in place:
                self.app.simulate_key(key)

    def _entry(self, name: str, title: str) -> Content:
        return Content.assemble((name, self.get_visual_style("key-line--key")), f" {title}")

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, its name and what it does; the first key for each action."""
        seen = set()
        for _node, binding, enabled, _tooltip in self.screen.active_bindings.values():
            if binding.show and enabled and binding.action not in seen:
                seen.add(binding.action)
                yield binding.key, self.app.get_key_display(binding), binding.description

    def _changed(self, _screen: Screen[object]) -> None:
        self.refresh()
