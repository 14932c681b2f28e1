"""The dashboard in a real terminal, among real sessions."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.live.conftest import cannot_run
from tests.live.room import Room
from tests.live.terminal import Terminal
from tests.live.test_send_is_stopped import think_first
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture(scope="module")
def three_sessions(program: Path) -> Iterator[Room]:
    """A room of its own: its policy is changed."""
    if not shutil.which("tmux"):
        cannot_run("there is no tmux")
    with Room(program) as room:
        for name in NAMES:
            room.start(name)
        yield room


@pytest.fixture
def deck(three_sessions: Room) -> Iterator[Terminal]:
    """The dashboard, once it shows the sessions."""
    with Terminal(three_sessions) as deck:
        deck.wait_until(lambda screen: all(row_of(name, screen) for name in NAMES), "a row for each session")
        yield deck
    three_sessions.model.reset()
    wait_until(lambda: not three_sessions.strangers(), "the end of the dashboard")


def row_of(name: str, screen: str) -> str:
    """Return the table's row of a session; its folder is named like it."""
    return next((line for line in rows(screen) if f"/{name} " in line), "")


def rows(screen: str) -> list[str]:
    return [line for line in screen.splitlines() if " interactive " in line]


def says(word: str, screen: str) -> bool:
    return word in screen.casefold()


def send(deck: Terminal, text: str) -> None:
    """Send from the compose pane, which is open on a session, and wait for the outcome."""
    deck.write(text)
    deck.press("C-s")
    deck.wait_until(lambda screen: says("sending", screen), "a courier on its way")
    deck.wait_until(lambda screen: not says("sending", screen), "an outcome")


def test_a_message_is_sent_and_the_policy_is_set_and_obeyed(three_sessions: Room, deck: Terminal) -> None:
    beta = three_sessions.sessions["beta"]
    deck.press("Down", "Enter")
    deck.wait_for("To beta")

    send(deck, "hello from the deck")
    assert says("sent", deck.screen)
    wait_until(lambda: beta.received == ["hello from the deck"], "the text in the receiver's transcript")
    assert {len(rows(screen)) for screen in deck.screens if rows(screen)} == {len(NAMES)}  # no row for the courier

    deck.press("F2")
    deck.wait_for("crossSessionInbound")
    deck.press("Home", "Down", "Enter")
    wait_until(lambda: settings(three_sessions).get("crossSessionInbound") == "hold", "the policy in the file")
    deck.press("Escape")
    deck.wait_for("To beta")

    for number in range(4):  # the session notices the file within two seconds
        send(deck, f"may I {number}?")
        if says("held by peer", deck.screen):
            break
    assert says("held by peer", deck.screen)
    assert f"may I {number}?" not in beta.received
    wait_until(lambda: f"«may I {number}?»" in json.dumps(beta.transcript, ensure_ascii=False), "the held message")


def settings(room: Room) -> dict[str, object]:
    found: dict[str, object] = json.loads(room.settings.read_text()) if room.settings.exists() else {}
    return found


def begin_to_send(room: Room, deck: Terminal) -> None:
    room.model.conduct = think_first
    deck.press("Enter")
    deck.wait_for("To alpha")
    deck.write("never")
    deck.press("C-s")
    wait_until(room.model.thinking.is_set, "the courier's question to the model")
    assert room.courier_records()


def test_quitting_while_a_courier_is_on_its_way_ends_it(three_sessions: Room, deck: Terminal) -> None:
    begin_to_send(three_sessions, deck)
    deck.press("C-q")
    assert deck.wait_for_exit() == 0
    assert three_sessions.strangers() == []
    assert three_sessions.courier_records() == []
    assert "never" not in three_sessions.sessions["alpha"].received


def test_closing_the_terminal_while_a_courier_is_on_its_way_ends_it(three_sessions: Room, deck: Terminal) -> None:
    begin_to_send(three_sessions, deck)
    deck.hang_up()
    wait_until(lambda: not three_sessions.strangers(), "the end of the dashboard and its courier")
    assert three_sessions.courier_records() == []
    assert "never" not in three_sessions.sessions["alpha"].received


def test_a_change_of_a_session_reaches_the_table(three_sessions: Room, deck: Terminal) -> None:
    gamma = three_sessions.sessions["gamma"]
    gamma.enter("think")
    deck.wait_until(lambda screen: "busy" in row_of("gamma", screen), "busy")
    three_sessions.model.release()
    deck.wait_until(lambda screen: "idle" in row_of("gamma", screen), "idle again")
    gamma.enter("/rename delta")
    deck.wait_until(lambda screen: " delta " in row_of("gamma", screen), "the new name")


def test_a_killed_session_leaves_the_table(three_sessions: Room, deck: Terminal) -> None:
    doomed = three_sessions.start("doomed")
    deck.wait_until(lambda screen: bool(row_of("doomed", screen)), "a new row")
    doomed.kill()
    deck.wait_until(lambda screen: not row_of("doomed", screen) and len(rows(screen)) == len(NAMES), "no row any more")
