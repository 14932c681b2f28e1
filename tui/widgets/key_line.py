"""The line at the bottom: what the keys do here."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.style import Style
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.screen import Screen


class KeyLine(Widget):
    """Shows the bindings that are meant for it, each whole or not at all; a click does what the key does.

    Textual's Footer mounts a widget a key, anew at each change of the focus: 60 ms that are felt between a key press
    and the cursor in the editor. This is one widget that is drawn again.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-line--key"}

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def render(self) -> Content:
        """Fill the line from the left."""
        key_style = self.get_visual_style("key-line--key")
        room = self.size.width
        shown = []
        for key, name, title in self._entries():
            entry = Content.assemble((name, key_style), f" {title}  ")
            room -= entry.cell_length
            if room < -1:
                break
            shown.append(entry.stylize(Style.from_meta({"@click": f"app.simulate_key({key!r})"})))
        return Content("").join(shown)

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, its name and what it does; the first key for each action."""
        seen = set()
        for _node, binding, enabled, _tooltip in self.screen.active_bindings.values():
            if binding.show and enabled and binding.action not in seen:
                seen.add(binding.action)
                yield binding.key, self.app.get_key_display(binding), binding.description

    def _changed(self, _screen: Screen[object]) -> None:
        self.refresh()
