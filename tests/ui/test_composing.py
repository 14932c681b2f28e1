from __future__ import annotations

import unicodedata

import pytest
from textual import events

from tests.building import build_peer
from tests.fakes import FakeCourier
from tests.ui.deck import open_deck
from tui.domain.peers import Liveness
from tui.widgets.last_words import last_words

ALPHA, BETA, GAMMA = (build_peer(41000 + n, name=name) for n, name in enumerate(("alpha", "beta", "gamma"), 1))


async def test_the_pane_follows_the_cursor_until_enter_and_then_keeps_its_peer() -> None:
    async with open_deck(ALPHA, BETA, GAMMA) as deck:
        assert "To alpha" in deck.line("To ")
        await deck.press("down")
        assert "To beta" in deck.line("To ")
        await deck.press("enter")
        assert deck.is_writing
        await deck.show(build_peer(41001, name="alpha", status="waiting"), GAMMA, BETA)
        assert "To beta" in deck.line("To ")
        await deck.press("escape", "up")
        assert not deck.is_writing
        assert "To alpha" in deck.line("To ")


async def test_the_status_of_the_peer_written_to_stays_live() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.show(build_peer(41001, name="alpha", status="waiting", waitingFor="dialog open"), BETA)
        assert "To alpha  ▲ waiting, dialog open" in deck.line("To ")


async def test_each_peer_has_its_own_text_and_it_is_marked_in_the_table() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("for alpha")
        await deck.press("escape", "down", "enter")
        assert deck.editor.text == ""
        await deck.write("for beta")
        await deck.press("escape", "up")
        assert deck.editor.text == "for alpha"
        assert "alpha ✎ draft" in deck.line(" alpha ")
        await deck.press("enter", "enter", "x")
        assert deck.editor.text == "for alpha\nx"
        await deck.press("ctrl+u", "backspace", *["backspace"] * 9, "escape")
        assert "✎" not in deck.lines()[2]
        assert "beta ✎ draft" in deck.line(" beta ")


async def test_a_text_belongs_to_the_process_and_not_to_its_pid() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("for the first")
        await deck.press("escape")
        await deck.show(build_peer(41001, name="alpha", procStart="99"), BETA)
        assert deck.editor.text == ""
        await deck.show(ALPHA, BETA)
        assert deck.editor.text == "for the first"


async def test_the_text_for_a_peer_that_goes_is_kept_and_goes_along_to_the_next() -> None:
    async with open_deck(ALPHA, BETA, GAMMA) as deck:
        await deck.press("enter")
        await deck.write("important")
        await deck.show(BETA, GAMMA)
        assert deck.shows("GONE `alpha` is gone – text kept. Press enter on another peer to take it along.")
        assert "To alpha  ✗ gone" in deck.line("To ")
        assert deck.editor.text == "important"
        await deck.press("escape")
        assert "To beta" in deck.line("To ")
        assert deck.editor.text == ""
        assert deck.shows("The text for `alpha`, which is gone, is kept. Enter takes it along.")
        await deck.press("enter")
        assert deck.editor.text == "important"
        assert "beta ✎ draft" in deck.line(" beta ")


async def test_a_text_does_not_go_along_where_another_one_is() -> None:
    async with open_deck(ALPHA, BETA, GAMMA) as deck:
        await deck.press("down", "enter")
        await deck.write("for beta")
        await deck.press("escape", "up", "enter")
        await deck.write("for alpha")
        await deck.press("escape")
        await deck.show(BETA, GAMMA)
        await deck.press("enter")
        assert deck.editor.text == "for beta"
        await deck.press("escape", "down", "enter")
        assert deck.editor.text == "for alpha"


async def test_the_last_peer_may_go_and_the_text_stays() -> None:
    async with open_deck(ALPHA) as deck:
        await deck.press("enter")
        await deck.write("kept")
        await deck.press("escape")
        await deck.show()
        assert deck.shows("The text for `alpha`, which is gone, is kept.")
        await deck.show(BETA)
        await deck.press("enter")
        assert deck.editor.text == "kept"


UNWRITABLE = [
    (build_peer(41001, name="alpha", liveness=Liveness.PARKED), "has handed its session to a background job"),
    (build_peer(41001, name="alpha", liveness=Liveness.ELSEWHERE), "another machine or in another container"),
    (build_peer(41001, name="alpha", reachable=False), "`alpha` is live, but has no inbox. Restart that session"),
    (build_peer(41001, name=None), "`41001` is live, but has no name to write to"),
    (build_peer(41001, name="al\u200bpha"), "holds characters that could mislead the courier"),
]


async def test_a_peer_that_cannot_be_written_to_says_why_before_anything_is_typed() -> None:
    async with open_deck(size=(160, 30)) as deck:
        for peer, why in UNWRITABLE:
            await deck.show(peer)
            assert deck.shows(why)
            await deck.press("enter", "x")
            assert not deck.is_writing
            assert deck.editor.text == ""


async def test_a_shared_name_is_said_before_anything_is_typed() -> None:
    async with open_deck(ALPHA, build_peer(41002, name="alpha")) as deck:
        assert deck.shows("2 live sessions are named `alpha`; nothing is sent while that is so. Rename one of them")


async def test_what_is_typed_right_behind_enter_is_typed_into_the_editor() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        for key in ("down", "enter", "q", "s", "question_mark"):
            deck.app.post_message(events.Key(key, "?" if key == "question_mark" else None))
        await deck.until(lambda: len(deck.editor.text) == 3)
        assert deck.editor.text == "qs?"
        assert "To beta" in deck.line("To ")


async def test_control_characters_that_are_pasted_are_shown_and_kept_but_never_written_to_the_terminal() -> None:
    async with open_deck(ALPHA) as deck:
        await deck.press("enter")
        await deck.write("a\x1b[31mb\x9bc")
        assert deck.editor.text == "a\x1b[31mb\x9bc"
        assert "a␛[31mb�c" in deck.line("a␛")
        assert not [each for each in "".join(deck.lines()) if unicodedata.category(each) == "Cc"]


async def test_a_click_on_a_row_goes_there_and_a_second_click_writes() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.pilot.click(deck.table, offset=(20, 2))
        await deck.pilot.pause()
        assert deck.cursor_pid == 41002
        assert not deck.is_writing
        await deck.pilot.click(deck.table, offset=(20, 2))
        await deck.pilot.pause()
        assert deck.is_writing
        assert "To beta" in deck.line("To ")


async def test_tab_reaches_the_editor_and_fixes_the_peer_shown() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("tab")
        assert deck.is_writing
        await deck.show(build_peer(40000, name="a-first"), ALPHA, BETA)
        assert "To alpha" in deck.line("To ")


@pytest.mark.parametrize("size", [(40, 15), (40, 10)])
async def test_everything_essential_fits_into_a_small_pane(size: tuple[int, int]) -> None:
    async with open_deck(ALPHA, build_peer(41002, name="beta", status="waiting"), size=size) as deck:
        await deck.press("down", "enter")
        await deck.write("hello")
        await deck.press("ctrl+s")
        assert "1 waiting" in deck.lines()[0]
        assert "▲ waiting" in deck.line("beta")
        assert "To alpha" in deck.line("To ")
        assert deck.shows("✓ SENT")
        assert "Back" in deck.lines()[-1]


async def test_another_program_in_front_does_not_change_whom_the_text_is_for() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        deck.app.post_message(events.AppBlur())
        await deck.until(lambda: not deck.app.app_focus)
        await deck.show(build_peer(41002, name="beta", status="waiting"), ALPHA)
        assert "To alpha" in deck.line("To ")
        deck.app.post_message(events.AppFocus())
        await deck.until(lambda: deck.is_writing)
        assert "To alpha" in deck.line("To ")


async def test_texts_that_are_not_sent_are_printed_when_the_dashboard_is_closed() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("half a thought\x1b[31m")
        drafts = deck.editor.drafts
    words = last_words(deck.app.dispatches, drafts)
    assert str(words) == "Not sent to alpha:\nhalf a thought␛[31m"
    assert last_words(deck.app.dispatches, []) is None


async def test_what_arrives_right_behind_the_send_key_is_not_sent_and_a_text_that_differs_is_kept() -> None:
    async with open_deck(ALPHA, courier=FakeCourier(hold=True)) as deck:
        await deck.press("enter")
        await deck.write("hello")
        deck.type_ahead("ctrl+s", "x", "y")
        await deck.until(lambda: deck.courier.plans)
        assert deck.courier.plans[0].text == "hello"
        deck.editor.text = "hello, and more"  # as a paste that was on its way would make it
        deck.courier.may_finish.set()
        await deck.until(lambda: deck.shows("✓ SENT"))
        assert deck.editor.text == "hello, and more"


@pytest.mark.parametrize("key", ["up", "left", "backspace", "home", "ctrl+a", "ctrl+left", "ctrl+w", "ctrl+k", "x"])
async def test_after_a_text_of_many_lines_was_sent_every_key_finds_an_empty_editor(key: str) -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("one\ntwo\nthree")
        await deck.press("ctrl+s")
        await deck.until(lambda: deck.shows("✓ SENT"))
        assert deck.editor.cursor_location == (0, 0)
        await deck.press(key)
        assert deck.editor.text == ("x" if key == "x" else "")


async def test_the_cursor_is_at_the_end_of_whatever_draft_is_shown() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("one\ntwo\nthree")
        await deck.press("escape", "down", "enter")
        assert deck.editor.cursor_location == (0, 0)
        await deck.press("up", "escape", "up", "enter")
        assert deck.editor.cursor_location == (2, 5)
