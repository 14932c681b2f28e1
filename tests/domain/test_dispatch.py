from __future__ import annotations

import pytest

from tests.building import NOW, build_peer, build_roster
from tui.domain.addressing import namesakes, shared_names
from tui.domain.courier_stream import Stage
from tui.domain.delivery import Delivery, Outcome
from tui.domain.dispatch import Dispatch, Dispatches, dispatch_badge
from tui.domain.drafts import process_of
from tui.domain.peers import Liveness

ALPHA, BETA = build_peer(41001, name="alpha"), build_peer(41002, name="beta")
PROCESS = process_of(ALPHA)
STARTED = Dispatches().put(PROCESS, Dispatch(ALPHA, "hello", NOW))


def test_a_letter_is_on_its_way_until_it_is_known_what_became_of_it() -> None:
    assert STARTED.is_running(PROCESS)
    later = STARTED.reached(PROCESS, Stage.SENDING).called_back(PROCESS)
    assert later.by_process[PROCESS].stage is Stage.SENDING
    assert later.by_process[PROCESS].called_back
    ended = later.ended(PROCESS, Delivery(Outcome.SENT, "Handed over."))
    assert not ended.is_running(PROCESS)
    assert not ended.is_running(process_of(BETA))


def test_an_outcome_is_forgotten_once_it_was_seen_and_a_letter_on_its_way_is_not() -> None:
    assert STARTED.seen(PROCESS) is STARTED
    ended = STARTED.ended(PROCESS, Delivery(Outcome.SENT, "Handed over."))
    assert ended.seen(PROCESS).get(PROCESS) is None
    assert Dispatches().seen(PROCESS).get(PROCESS) is None


def test_only_the_letters_that_are_otherwise_are_said_to_have_changed() -> None:
    both = STARTED.put(process_of(BETA), Dispatch(BETA, "hi", NOW))
    assert list(both.changed(STARTED)) == [process_of(BETA)]
    assert list(Dispatches().changed(STARTED)) == [PROCESS]
    assert list(STARTED.changed(STARTED)) == []


def test_a_letter_is_never_on_its_way_for_less_than_no_time() -> None:
    assert STARTED.by_process[PROCESS].seconds(NOW + 7_999) == 7
    assert STARTED.by_process[PROCESS].seconds(NOW - 60_000) == 0


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_a_glyph_of_one_cell_and_its_own_word(outcome: Outcome) -> None:
    badge = dispatch_badge(Dispatch(ALPHA, "", NOW, delivery=Delivery(outcome, "")))
    assert len(badge.glyph) == 1
    assert badge.word == outcome.replace("_", " ")


def test_what_shares_a_name_is_found_for_all_as_it_is_for_each() -> None:
    roster = build_roster(
        build_peer(1, name="Proj"),
        build_peer(2, name="proj "),
        build_peer(3, name="proj", liveness=Liveness.PARKED),
        build_peer(4, name="other"),
        build_peer(5, name="\N{LATIN SMALL LETTER E WITH ACUTE}"),
        build_peer(6, name="e\N{COMBINING ACUTE ACCENT}"),
    )
    shared = shared_names(roster)
    assert shared == {1: 2, 2: 2, 5: 2, 6: 2}
    for peer in roster.peers:
        if peer.liveness is not Liveness.PARKED:
            assert bool(namesakes(roster, peer)) == (peer.pid in shared)


def test_a_roster_without_couriers_is_the_same_roster_where_there_are_none() -> None:
    roster = build_roster(ALPHA, BETA)
    assert roster.without_couriers() is roster
    courier = build_peer(40000, name="peerdeck", entrypoint="sdk-cli")
    assert build_roster(courier, ALPHA).without_couriers().peers == (ALPHA,)
