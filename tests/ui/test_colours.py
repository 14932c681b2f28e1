from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.color import ColorType

from tests.building import build_roster
from tests.scenes import PEERS, recorded, send_and_wait
from tests.ui.deck import open_deck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.color import Color
    from rich.segment import Segment
    from rich.style import Style
    from textual.strip import Strip

    from tests.ui.deck import Deck

THEMES = ["textual-dark", "textual-light", "ansi-dark", "ansi-light"]
LEAST_CONTRAST = 2.0
"""Of placeholders and other faint text; what matters has more."""
STATES = [
    "▲ waiting",
    "● busy",
    "◐ shell",
    "○ idle",
    "◇ parked",
    "◌ elsewhere",
    "✎",
    "✗ REFUSED BY PEER",
    "! no events",
]


def luminance(color: Color) -> float:
    channels = [channel / 255 for channel in color.get_truecolor()]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def has_contrast(style: Style) -> bool:
    """Whether text in this style can be read; the terminal's own colours are taken to go together."""
    front, back = style.color, style.bgcolor
    if front is None or back is None or ColorType.DEFAULT in {front.type, back.type}:
        return front is None or back is None or front.type is not back.type or front.type is ColorType.DEFAULT
    lighter, darker = sorted((luminance(front), luminance(back)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05) >= LEAST_CONTRAST


def words(deck: Deck) -> Iterator[Segment]:
    for strip in deck.app.screen._compositor.render_strips():
        for segment in strip:
            if segment.text.strip(" ▁▂▃▄▅▆▇█─▎"):
                yield segment


@pytest.mark.parametrize("no_color", [False, True], ids=["colours", "NO_COLOR"])
async def test_every_text_can_be_read_and_every_state_has_a_glyph_and_a_word(
    no_color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    roster = build_roster(*PEERS, watch_trouble="no events")
    async with open_deck(roster=roster, courier=recorded("refused")(), size=(80, 24)) as deck:
        await send_and_wait(deck)
        for theme in THEMES:
            deck.app.theme = theme
            await deck.pilot.pause()
            unreadable = [each.text for each in words(deck) if each.style and not has_contrast(each.style)]
            assert unreadable == [], theme
            assert [state for state in STATES if not deck.shows(state)] == []
            strips = deck.app.screen._compositor.render_strips()
            assert looks(strips[4]) != looks(strips[6]), f"the cursor is not to be seen with {theme}"


def looks(strip: Strip) -> set[tuple[object, ...]]:
    return {(each.style.bgcolor, each.style.reverse, each.style.underline) for each in strip if each.style}
