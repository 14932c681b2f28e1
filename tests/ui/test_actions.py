from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual.command import CommandPalette
from textual.widgets import HelpPanel

from tests.building import build_peer
from tests.ui.deck import Deck, open_deck
from tui.actions import APP, DASHBOARD, EDITOR, POLICIES, SETTINGS, TABLE
from tui.app import PeerdeckApp
from tui.screens.dashboard import DashboardScreen
from tui.screens.settings import SettingsScreen
from tui.widgets.compose_editor import ComposeEditor
from tui.widgets.key_line import KeyLine
from tui.widgets.peer_table import PeerTable
from tui.widgets.policy_list import PolicyList

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.dom import DOMNode

NODES: list[type[DOMNode]] = [
    PeerdeckApp,
    DashboardScreen,
    SettingsScreen,
    PeerTable,
    ComposeEditor,
    PolicyList,
]


def all_bindings(node: type[DOMNode]) -> list[Binding]:
    return [binding for _key, binding in node._merge_bindings()]


def test_every_binding_has_a_description_a_tooltip_and_an_id_that_means_one_action() -> None:
    found = [binding for node in NODES for binding in all_bindings(node)]
    assert all(each.id and each.description and each.tooltip for each in found)
    actions = {(each.id, each.action) for each in found}
    assert len({name for name, _ in actions}) == len(actions)


def test_no_key_means_two_things_on_one_node() -> None:
    for node in NODES:
        keys = [key for key, _ in node._merge_bindings()]
        assert len(keys) == len(set(keys)), node


def test_every_action_of_the_table_is_bound() -> None:
    bound = {binding.id for node in NODES for binding in all_bindings(node)}
    assert {action.id for group in (APP, DASHBOARD, TABLE, EDITOR, SETTINGS, POLICIES) for action in group} <= bound


async def titles(deck: Deck) -> set[str]:
    return {command.title for command in deck.app.get_system_commands(deck.app.screen)}


async def test_the_palette_offers_what_can_be_done_here_and_does_it() -> None:
    async with open_deck(build_peer(41001)) as deck:
        assert await titles(deck) == {"Write", "Waiting", "Policy", "Help", "Quit", "Theme"}
        await deck.press("enter")
        await deck.write("x")
        assert {"Send", "Policy", "Quit"} <= await titles(deck)
        assert "Write" not in await titles(deck)
        await deck.press("ctrl+p")
        await deck.until(lambda: isinstance(deck.app.screen, CommandPalette))
        await deck.press("p", "o", "l", "i", "c", "y")
        await deck.until(lambda: deck.shows("what sessions do with messages"))
        await deck.press("enter", "enter")
        await deck.until(lambda: isinstance(deck.app.screen, SettingsScreen))


async def test_the_help_panel_shows_the_keys_and_the_help_of_what_has_the_focus() -> None:
    async with open_deck(build_peer(41001), size=(120, 40)) as deck:
        await deck.press("question_mark")
        await deck.until(lambda: deck.shows("Write to the peer under"))
        assert deck.shows("The Claude Code sessions that")
        await deck.press("enter")
        await deck.until(lambda: deck.shows("Back to the table") and deck.shows("Write as many lines"))
        await deck.pilot.resize_terminal(40, 15)
        await deck.until(lambda: deck.shows("Back to the table") and not deck.shows("Write as many lines"))
        assert "To proj-41001" in deck.line("To ")
        await deck.press("f1")
        await deck.until(lambda: not deck.app.screen.query(HelpPanel))


async def test_the_line_of_keys_follows_the_focus_and_can_be_clicked() -> None:
    async with open_deck(build_peer(41001), size=(40, 15)) as deck:
        assert deck.lines()[-1].split() == ["⏎", "Write", "w", "Waiting", "s", "Policy", "?", "Help", "q", "Quit"]
        await deck.pilot.click(KeyLine, offset=(2, 0))
        await deck.until(lambda: deck.is_writing)
        await deck.until(lambda: deck.lines()[-1].split()[:4] == ["esc", "Back", "^s", "Send"])


async def test_a_keymap_gives_an_action_another_key() -> None:
    async with open_deck(build_peer(41001)) as deck:
        deck.app.set_keymap({"app.settings": "z"})
        await deck.press("z")
        assert isinstance(deck.app.screen, SettingsScreen)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_quitting_asks_nothing(key: str) -> None:
    async with open_deck(build_peer(41001)) as deck:
        await deck.press(key)
    assert deck.app.return_code == 0


async def test_ctrl_c_says_which_key_quits() -> None:
    async with open_deck(build_peer(41001)) as deck:
        await deck.press("ctrl+c")
        await deck.until(deck.toasts)
        assert "ctrl+q quits." in deck.toasts()[0]
