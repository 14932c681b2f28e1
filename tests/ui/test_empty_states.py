from __future__ import annotations

from tests.building import build_peer, build_roster
from tests.ui.deck import open_deck
from tui.domain.roster import RegistryState

EMPTY = [
    (
        build_roster(state=RegistryState.MISSING),
        "~/.claude/sessions does not exist yet",
        "Start `claude` in another pane",
    ),
    (
        build_roster(state=RegistryState.UNREADABLE, detail="Permission denied [b]"),
        "~/.claude/sessions cannot be read: Permission denied [b]",
        "Make it readable for you",
    ),
    (build_roster(), "no live sessions in ~/.claude/sessions", "Start `claude` in another pane"),
]


async def test_each_way_to_have_no_rows_says_why_and_what_to_do_until_a_peer_comes() -> None:
    async with open_deck(size=(80, 24)) as deck:
        for roster, reason, remedy in EMPTY:
            await deck.show(roster=roster)
            assert deck.shows(reason)
            assert deck.shows(remedy)
            assert deck.shows("No one to write to")
            await deck.show(build_peer(41001))
            assert not deck.shows(reason)
            assert "○ idle" in deck.line(" proj-41001 ")
        await deck.press("enter")
        assert deck.is_writing


async def test_when_the_last_peer_goes_the_reason_is_there_at_once() -> None:
    async with open_deck(build_peer(41001), size=(40, 15)) as deck:
        await deck.show()
        assert deck.shows("no live sessions in ~/.claude/sessions")


async def test_nothing_can_be_done_to_peers_while_there_are_none() -> None:
    async with open_deck() as deck:
        assert "Write" not in deck.lines()[-1]
        await deck.press("enter", "w", "ctrl+s")
        assert not deck.is_writing
        assert deck.courier.plans == []
