"""The app with fakes at its seams, driven by keys and read as its user reads it."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual.events import Key, Paste
from textual.keys import key_to_character

from tests.building import NOW, REGISTRY, build_roster
from tests.fakes import FakeCourier, FakeLifeline, FakeRosterSource, FakeSettingsStore
from tests.waiting import DEADLINE
from tui.app import PeerdeckApp
from tui.widgets.compose_editor import ComposeEditor
from tui.widgets.peer_table import PeerTable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from textual.pilot import Pilot

    from tui.domain.peers import Peer
    from tui.domain.roster import Roster

HOME: Final = "/home/u"
_POLL: Final = 0.01
"""Seconds between two looks at a condition that is waited for."""
_HOPS: Final = 3
"""A key goes from the app to the focus, up to the app again, and then to the widget that it means."""
SETTINGS: Final = Path("/home/u/.claude/settings.json")


class FakeClock:
    """Stands still until it is told."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@dataclass
class Deck:
    """A running app and what stands behind its seams."""

    source: FakeRosterSource
    courier: FakeCourier
    store: FakeSettingsStore
    clock: FakeClock
    app: PeerdeckApp
    _pilot: Pilot[None] | None = field(default=None)

    @property
    def pilot(self) -> Pilot[None]:
        assert self._pilot is not None
        return self._pilot

    @property
    def table(self) -> PeerTable:
        return self.app.screen_stack[0].query_one(PeerTable)

    @property
    def editor(self) -> ComposeEditor:
        return self.app.screen_stack[0].query_one(ComposeEditor)

    @property
    def cursor_pid(self) -> int:
        return int(self.table.cursor_key or 0)

    @property
    def is_writing(self) -> bool:
        return self.app.focused is self.editor

    async def press(self, *keys: str) -> None:
        """Press keys one after another, each when the one before has done what it does."""
        for key in keys[:-1]:
            self._press(key)
            await self.settle()
        self._press(keys[-1])
        await self.pilot.pause()

    def type_ahead(self, *keys: str) -> None:
        """Press keys in one go, as a terminal delivers them that was busy."""
        for key in keys:
            self._press(key)

    def _press(self, key: str) -> None:
        self.app.post_message(Key(key, key_to_character(key)))

    async def settle(self) -> None:
        """Wait until the app and its widgets have nothing left to handle."""
        for _ in range(_HOPS):
            await self.pilot._wait_for_screen()

    async def write(self, text: str) -> None:
        """Put text where the focus is, as a paste does."""
        self.app.post_message(Paste(text))
        await self.until(lambda: text in self.editor.text)
        await self.pilot.pause()

    async def show(self, *peers: Peer, roster: Roster | None = None) -> None:
        """Let the registry hold these peers, and wait until that is on the screen."""
        roster = roster or build_roster(*peers)
        self.source.show(roster)
        await self.until(lambda: self.app.roster is not None and self.app.roster == roster.without_couriers())
        await self.pilot.pause()

    async def until(self, found: Callable[[], object]) -> None:
        """Wait until the app made it true."""
        end = time.monotonic() + DEADLINE
        while not found():
            assert time.monotonic() < end, "it did not come true on\n" + "\n".join(self.lines())
            await asyncio.sleep(_POLL)

    def lines(self) -> list[str]:
        """Return what the terminal shows, line by line."""
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def line(self, words: str) -> str:
        """Return the line that shows these words."""
        found = [line for line in self.lines() if words in line]
        assert found, f"{words!r} is not in\n" + "\n".join(self.lines())
        return found[0]

    def shows(self, words: str) -> bool:
        """Whether the words are on the screen, wherever its lines break."""
        return words in " ".join(" ".join(self.lines()).split())

    def rows(self) -> list[str]:
        """Return the first word of each peer's name, from the top."""
        return [cell.plain.split()[0] for cell in self.table.get_column("name")]

    def toasts(self) -> list[str]:
        return [f"{toast.title} | {toast.message}" for toast in self.app._notifications]


@asynccontextmanager
async def open_deck(
    *peers: Peer,
    roster: Roster | None = None,
    source: FakeRosterSource | None = None,
    courier: FakeCourier | None = None,
    store: FakeSettingsStore | None = None,
    size: tuple[int, int] = (112, 20),
) -> AsyncIterator[Deck]:
    """Open the dashboard on these peers."""
    source = source or FakeRosterSource(roster or build_roster(*peers))
    courier = courier or FakeCourier()
    store = store or FakeSettingsStore(SETTINGS)
    clock = FakeClock()
    app = PeerdeckApp(
        source=source,
        courier=courier,
        settings=store,
        clock=clock,
        lifeline=FakeLifeline(),
        home=HOME,
        registry=REGISTRY,
        version="0.1.0",
    )
    app.animation_level = "none"
    deck = Deck(source, courier, store, clock, app)
    async with app.run_test(size=size, notifications=True) as pilot:
        deck._pilot = pilot
        await pilot.pause()
        yield deck
