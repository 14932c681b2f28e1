"""The pictures in `screenshots/`: written with `python -m tests.scenes`, compared by a test."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.building import NOW, build_peer, build_roster
from tests.fakes import FakeCourier, FakeRosterSource, FakeSettingsStore, stream_of
from tests.ui.deck import SETTINGS, Deck, open_deck
from tui.domain.inbound import InboundPolicy
from tui.domain.peers import Liveness
from tui.domain.records import FaultReason, RegistryFault
from tui.domain.roster import RegistryState
from tui.domain.verdict import CourierEnd, CourierRun

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tui.domain.roster import Roster

PICTURES: Final = Path(__file__).parent.parent / "screenshots"
RECORDED: Final = Path(__file__).parent / "recorded" / "courier"
_FONT_FACE: Final = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
"""Rich names a font on the web; a picture loads nothing."""

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
TEXT: Final = "The schema of /orders changed: `total` is in cents now.\nPlease adapt the client and run its tests."

PEERS: Final = (
    build_peer(
        41001,
        name="api-3f",
        cwd="/home/u/work/api",
        status="waiting",
        waitingFor="permission prompt",
        statusUpdatedAt=NOW - 12 * SECOND,
    ),
    build_peer(
        41002,
        name="web-client-a1",
        cwd="/home/u/work/monorepo/packages/web-client",
        status="busy",
        statusUpdatedAt=NOW - 4 * MINUTE,
    ),
    build_peer(41003, name="docs", cwd="/home/u/work/docs", status="shell", statusUpdatedAt=NOW - 31 * MINUTE),
    build_peer(41004, name="fix [WIP] login", cwd="/home/u/work/auth", statusUpdatedAt=NOW - 2 * HOUR),
    build_peer(41005, name="proj-0c", cwd="/home/u/work/proj", statusUpdatedAt=NOW - 40 * SECOND),
    build_peer(41006, name="proj-0c", cwd="/home/u/work/proj", statusUpdatedAt=NOW - 26 * HOUR, version="2.1.278"),
    build_peer(41007, name="old-window", cwd="/srv/tools", liveness=Liveness.PARKED, statusUpdatedAt=NOW - 75 * HOUR),
    build_peer(41008, name="in-container", cwd="/workspace", liveness=Liveness.ELSEWHERE, statusUpdatedAt=None),
)
ROSTER: Final = build_roster(*PEERS)


@dataclass(frozen=True)
class Scene:
    """How to come to one picture."""

    act: Callable[[Deck], Awaitable[object]]
    size: tuple[int, int] = (120, 40)
    theme: str = "textual-dark"
    roster: Roster = ROSTER
    courier: Callable[[], FakeCourier] = FakeCourier
    policy: InboundPolicy | None = None

    async def draw(self) -> str:
        """Play the scene and return the picture."""
        source, store = FakeRosterSource(self.roster), FakeSettingsStore(SETTINGS, self.policy)
        async with open_deck(source=source, store=store, courier=self.courier(), size=self.size) as deck:
            deck.app.theme = self.theme
            deck.editor.cursor_blink = False
            await deck.settle()
            await self.act(deck)
            await deck.pilot.pause()
            picture = deck.app.export_screenshot(simplify=True)
            deck.courier.may_finish.set()
        return _FONT_FACE.sub("", picture)


async def look(deck: Deck) -> None:
    await deck.press("down")


async def write(deck: Deck) -> None:
    await deck.press("down", "enter")
    await deck.write(TEXT)


async def send(deck: Deck) -> None:
    await write(deck)
    await deck.press("ctrl+s")
    await deck.until(lambda: deck.courier.plans)


async def send_and_look(deck: Deck) -> None:
    await send(deck)
    deck.clock.now += 3 * SECOND
    await deck.until(lambda: deck.shows(" 3s, "))


async def send_and_wait(deck: Deck) -> None:
    await send(deck)
    await deck.until(lambda: not deck.editor.read_only)


async def lose_the_peer(deck: Deck) -> None:
    await write(deck)
    await deck.show(*(peer for peer in PEERS if peer.pid != 41002))


async def settings(deck: Deck) -> None:
    await deck.press("s")
    await deck.until(lambda: deck.shows("●"))


async def settings_conflict(deck: Deck) -> None:
    await settings(deck)
    deck.store.foreign_write(InboundPolicy.REFUSE)
    await deck.press("home", "enter")
    await deck.until(lambda: deck.shows("conflict"))


async def show_help(deck: Deck) -> None:
    await deck.press("down", "question_mark")


async def nothing(deck: Deck) -> None:
    await deck.settle()


def recorded(name: str) -> Callable[[], FakeCourier]:
    """Return a courier whose stream is the real program's, but for the name and the text."""

    def courier() -> FakeCourier:
        lines = (RECORDED / f"{name}.jsonl").read_bytes().splitlines()
        run = CourierRun(stream_of(lines), CourierEnd.ANSWERED)
        for call in run.stream.calls:
            call.to, call.message = PEERS[1].name, TEXT
        return FakeCourier(run)

    return courier


SCENES: Final = {
    "dashboard-120x40": Scene(look),
    "dashboard-80x24": Scene(look, size=(80, 24), theme="textual-light"),
    "dashboard-40x15": Scene(look, size=(40, 15)),
    "dashboard-trouble": Scene(
        look,
        size=(100, 24),
        roster=build_roster(
            *PEERS,
            watch_trouble="no events: the limit of inotify instances is reached; looking every 2 seconds instead",
            faults=(RegistryFault("41009.json", FaultReason.NOT_JSON, "not a JSON document"),),
        ),
    ),
    "compose-sending": Scene(send_and_look, size=(100, 28), courier=lambda: FakeCourier(hold=True)),
    "compose-sent": Scene(send_and_wait, size=(100, 28)),
    "compose-held": Scene(send_and_wait, size=(100, 28), courier=recorded("held")),
    "compose-refused": Scene(send_and_wait, size=(100, 28), courier=recorded("refused")),
    "compose-gone": Scene(lose_the_peer, size=(100, 28)),
    "compose-40x15": Scene(send_and_wait, size=(40, 15)),
    "settings": Scene(settings, size=(100, 24), policy=InboundPolicy.HOLD),
    "settings-conflict": Scene(settings_conflict, size=(100, 24), policy=InboundPolicy.HOLD),
    "settings-40x15": Scene(settings, size=(40, 15), policy=InboundPolicy.HOLD),
    "empty": Scene(nothing, size=(80, 24), roster=build_roster(state=RegistryState.MISSING)),
    "help": Scene(show_help),
}


async def main() -> None:
    """Write all pictures."""
    os.environ.pop("NO_COLOR", None)
    PICTURES.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        (PICTURES / f"{name}.svg").write_text(await scene.draw(), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
