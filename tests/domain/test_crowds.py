"""Thousands of peers, all of one name."""

from __future__ import annotations

import time
from typing import Final

from tests.building import build_peer, build_roster
from tui.domain.addressing import find_addressee, namesakes, resolve, shared_names
from tui.domain.delivery import Cause, Delivery
from tui.domain.peers import Liveness
from tui.domain.roster import changes

COUNT: Final = 5_000
CROWD: Final = build_roster(*(build_peer(pid, name="same" if pid % 2 else "Same ") for pid in range(1, COUNT + 1)))


def test_each_of_thousands_of_one_name_is_refused_and_told_apart_by_its_pid() -> None:
    assert shared_names(CROWD) == dict.fromkeys(range(1, COUNT + 1), COUNT)
    assert len(namesakes(CROWD, CROWD.peers[0])) == COUNT - 1
    for peer in (CROWD.peers[0], CROWD.peers[-1]):
        target = resolve(CROWD, peer.record.session_id)
        assert isinstance(target, Delivery)
        assert target.cause is Cause.AMBIGUOUS
    named = find_addressee(CROWD, "same")
    assert isinstance(named, Delivery)
    assert f"{COUNT // 2} live sessions are named `same`" in named.message


def test_the_one_that_can_be_told_apart_is_still_found_among_thousands() -> None:
    parked = (build_peer(pid, name="one", liveness=Liveness.PARKED) for pid in range(COUNT + 2, COUNT + 10))
    one = build_peer(COUNT + 1, name="one")
    crowd = build_roster(*CROWD.peers, one, *parked)
    assert resolve(crowd, one.record.session_id) is one
    assert shared_names(crowd).keys() == shared_names(CROWD).keys()


def test_one_change_among_thousands_costs_little() -> None:
    after = build_roster(*CROWD.peers[1:], build_peer(1, name="other"))
    began = time.monotonic()
    for _ in range(10):
        assert len(list(changes(CROWD, after))) == 1
        assert len(shared_names(after)) == COUNT - 1
    assert time.monotonic() - began < 5
