from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.building import build_peer, build_roster
from tests.fakes import FakeRosterSource
from tests.ui.deck import open_deck
from tui.domain.records import FaultReason, RegistryFault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tui.domain.roster import Roster

PEERS = [
    build_peer(41001),
    build_peer(41002, status="busy"),
    build_peer(41003, status="waiting"),
    build_peer(41004, status="shell"),
]


class BrokenOnce(FakeRosterSource):
    """Its first watch breaks after one roster."""

    watches = 0

    def __init__(self, roster: Roster) -> None:
        super().__init__(roster)
        self.may_break = asyncio.Event()

    async def watch(self) -> AsyncGenerator[Roster, None]:
        self.watches += 1
        yield self.current
        if self.watches == 1:
            await self.may_break.wait()
            raise RuntimeError("too many [open] files\x1b[31m")
        async for roster in super().watch():
            yield roster


async def test_the_header_counts_what_waits_first_and_names_the_registry_where_there_is_room() -> None:
    async with open_deck(*PEERS) as deck:
        assert deck.lines()[0].split("  ")[0].strip() == "peerdeck"
        assert "1 waiting · 1 busy · 1 idle · 1 other" in deck.lines()[0]
        assert deck.lines()[0].rstrip().endswith("~/.claude/sessions  0.1.0")
        await deck.pilot.resize_terminal(40, 15)
        await deck.pilot.pause()
        assert "1 waiting · 1 busy" in deck.lines()[0]
        assert "sessions" not in deck.lines()[0]


async def test_trouble_with_the_watch_and_with_records_is_shown_until_it_is_over() -> None:
    faults = tuple(RegistryFault(f"4100{n}.json", FaultReason.NOT_JSON, "not a JSON document") for n in range(5))
    roster = build_roster(
        *PEERS,
        watch_trouble="looking every 2 s: no inotify instances left",
        exposure="others can write into /tmp",
        faults=(*faults, RegistryFault("pid-77.json", FaultReason.NAME, "not named <pid>.json")),
    )
    async with open_deck(roster=roster, size=(160, 30)) as deck:
        assert deck.shows("! looking every 2 s: no inotify instances left")
        assert deck.line("! others can write into /tmp")
        assert deck.shows("! 5 unreadable records: 41000.json (not a JSON document), 41001.json")
        assert not deck.shows("41004.json")
        await deck.show(*PEERS)
        assert deck.lines()[1].split()[0] == "Status"


async def test_a_watch_that_breaks_is_shown_as_trouble_and_begun_again() -> None:
    source = BrokenOnce(build_roster(*PEERS))
    async with open_deck(source=source) as deck:
        deck.app.RETRY_SECONDS = 0.2  # type: ignore[misc]
        source.may_break.set()
        await deck.until(lambda: deck.shows("! the registry is not watched: RuntimeError: too many [open] files␛[31m"))
        assert len(deck.table.rows) == 4
        await deck.until(lambda: source.watches == 2 and not deck.app.trouble)
        await deck.show(PEERS[0])
        assert len(deck.table.rows) == 1
