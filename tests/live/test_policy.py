"""Running sessions obey what `peerdeck policy` writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.live.room import Room

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live.room import Finished


@pytest.fixture(scope="module")
def policed(program: Path) -> Iterator[Room]:
    """A room of its own, since its sessions need up to two seconds to notice a change."""
    with Room(program) as room:
        room.start("alpha")
        yield room


def send_until(room: Room, outcome: str) -> Finished:
    """Send until the session has noticed the change."""
    for number in range(5):
        finished = room.send("alpha", f"{outcome} {number}?")
        if finished.json["outcome"] == outcome:
            return finished
    raise AssertionError(finished)


@pytest.mark.parametrize(
    ("policy", "outcome", "cause"), [("hold", "held_by_peer", "held"), ("refuse", "refused_by_peer", "refused")]
)
def test_a_message_that_the_policy_keeps_back_is_told_as_such(
    policed: Room, policy: str, outcome: str, cause: str
) -> None:
    assert policed.peerdeck("policy", policy).code == 0
    finished = send_until(policed, outcome)
    assert (finished.code, finished.json["cause"], finished.json["verified"]) == (1, cause, True)
    assert policed.strangers() == []
    assert policed.courier_records() == []


def test_the_default_lets_messages_in_again(policed: Room) -> None:
    assert policed.peerdeck("policy", "default").code == 0
    assert send_until(policed, "sent").code == 0
    assert "crossSessionInbound" not in json.loads(policed.settings.read_text())
