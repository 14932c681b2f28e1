"""The one table of actions. Keys, footer, command palette and help panel are all read from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from textual.binding import Binding

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Action:
    """Something a user can do, wherever the node that binds it is in reach of the focus."""

    id: str
    """Stable; a Textual keymap names it to give it other keys."""
    keys: str
    """Comma-separated, the one that the footer shows first."""
    does: str
    """The name of the `action_…` method, with its target where that is another node."""
    title: str
    """Shown in the footer, the palette and the help panel."""
    help: str
    """Goes on where the title ends; for the palette, the help panel and the footer's tooltip."""
    in_footer: bool = False
    in_palette: bool = False
    priority: bool = False
    """Comes before what the focused widget would do with the key."""

    def binding(self) -> Binding:
        """Return it as Textual wants it."""
        return Binding(
            self.keys,
            self.does,
            self.title,
            show=self.in_footer,
            tooltip=self.help,
            id=self.id,
            priority=self.priority,
        )


def bindings(actions: Iterable[Action]) -> list[Binding]:
    """Return the bindings of one node."""
    return [action.binding() for action in actions]


APP: Final = (
    Action("app.settings", "s,f2", "settings", "Policy", "what sessions do with messages", True, True),
    Action("app.help", "question_mark,f1", "toggle_help", "Help", "on the keys that work here", True, True),
    Action("app.quit", "q", "quit", "Quit", "and end a courier on its way", True, True),
    Action("app.quit-anywhere", "ctrl+q", "quit", "Quit", "and end a courier on its way", True, True, True),
    Action("app.quit-hint", "ctrl+c", "help_quit", "Quit?", "says which key quits"),
    Action("app.palette", "ctrl+p", "command_palette", "Palette", "of actions by name", priority=True),
    Action("app.theme", "f3", "change_theme", "Theme", "of colours", in_palette=True),
)

DASHBOARD: Final = (
    Action(
        "delivery.send", "ctrl+s,ctrl+enter", "send", "Send", "the text to the peer shown", True, True, priority=True
    ),
    Action("delivery.cancel", "ctrl+x", "cancel", "Cancel", "the courier on its way", True, True, priority=True),
    Action("focus.next", "tab", "app.focus_next", "Next", "part of the screen"),
    Action("focus.previous", "shift+tab", "app.focus_previous", "Previous", "part of the screen"),
    Action("screen.copy", "ctrl+c,super+c", "screen.copy_text", "Copy", "the text marked with the mouse"),
)

TABLE: Final = (
    Action("table.write", "enter", "screen.write", "Write", "to the peer under the cursor", True, True),
    Action("table.waiting", "w", "next_waiting", "Waiting", "peer: go to the next one", True, True),
    Action("table.up", "up,k", "cursor_up", "Up", "one peer"),
    Action("table.down", "down,j", "cursor_down", "Down", "one peer"),
    Action("table.page-up", "pageup", "page_up", "Page up", "in the table"),
    Action("table.page-down", "pagedown", "page_down", "Page down", "in the table"),
    Action("table.first", "home,g,ctrl+home", "scroll_top", "First", "peer"),
    Action("table.last", "end,G,ctrl+end", "scroll_bottom", "Last", "peer"),
)

EDITOR: Final = (
    Action("editor.back", "escape", "screen.back", "Back", "to the table; the text is kept", True),
    Action("editor.newline", "ctrl+j", "newline", "New line", "as enter makes it"),
)

SETTINGS: Final = (
    Action("settings.close", "escape,s,f2", "close", "Back", "to the dashboard", True, True),
    Action("settings.scroll-up", "pageup", "scroll('up')", "Scroll up", "in the text"),
    Action("settings.scroll-down", "pagedown", "scroll('down')", "Scroll down", "in the text"),
    Action("settings.next", "tab", "app.focus_next", "Next", "part of the screen"),
    Action("settings.previous", "shift+tab", "app.focus_previous", "Previous", "part of the screen"),
)

POLICIES: Final = (
    Action("policy.choose", "enter,space", "select", "Choose", "and write the value under the cursor", True),
    Action("policy.up", "up,k", "cursor_up", "Up", "one value; nothing is written"),
    Action("policy.down", "down,j", "cursor_down", "Down", "one value; nothing is written"),
    Action("policy.first", "home", "first", "First", "value"),
    Action("policy.last", "end", "last", "Last", "value"),
)

PALETTE_IDS: Final = frozenset(
    action.id for group in (APP, DASHBOARD, TABLE, EDITOR, SETTINGS, POLICIES) for action in group if action.in_palette
)
