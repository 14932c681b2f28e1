from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.building import build_peer, build_roster
from tui.domain.peers import Liveness
from tui.domain.roster import PeerAdded, PeerChanged, PeerRemoved, Roster, changes, peer_facts


def test_the_first_roster_adds_everybody() -> None:
    peers = build_peer(1), build_peer(2)
    assert list(changes(None, build_roster(*peers))) == [PeerAdded(peers[0]), PeerAdded(peers[1])]


def test_a_change_names_what_changed_with_both_values() -> None:
    before, after = build_peer(1, status="idle"), build_peer(1, status="waiting", waitingFor="permission prompt")
    (change,) = changes(build_roster(before), build_roster(after))
    assert isinstance(change, PeerChanged)
    assert change.changed == {"status": ("idle", "waiting"), "waitingFor": (None, "permission prompt")}


def test_a_change_of_what_nobody_is_shown_is_no_change() -> None:
    assert list(changes(build_roster(build_peer(1)), build_roster(build_peer(1, updatedAt=5)))) == []


def test_facts_use_the_registrys_own_key_names_and_add_what_was_found_out() -> None:
    facts = peer_facts(build_peer(7, liveness=Liveness.UNVERIFIED, reachable=False))
    assert list(facts) == [
        "pid",
        "sessionId",
        "name",
        "status",
        "waitingFor",
        "kind",
        "entrypoint",
        "cwd",
        "version",
        "startedAt",
        "statusUpdatedAt",
        "procStart",
        "liveness",
        "reachable",
        "endpoint",
    ]
    assert (facts["liveness"], facts["reachable"]) == ("unverified", False)
    assert facts["endpoint"] == "cc-peer:v1:7:proj-7:/run/user/1000/cc-socks/7.sock"


rosters = st.dictionaries(st.integers(1, 6), st.sampled_from(["idle", "busy", "waiting", "new"])).map(
    lambda statuses: build_roster(*(build_peer(pid, status=status) for pid, status in statuses.items()))
)


def replayed(sequence: list[Roster]) -> dict[int, str]:
    """What somebody knows who only heard of the changes."""
    known: dict[int, str] = {}
    before = None
    for roster in sequence:
        for change in changes(before, roster):
            if isinstance(change, PeerRemoved):
                del known[change.peer.pid]
            else:
                known[change.peer.pid] = str(change.peer.record.status)
        before = roster
    return known


@given(st.lists(rosters, max_size=5), st.lists(rosters, max_size=5), rosters)
def test_any_two_sequences_that_end_alike_leave_the_same_knowledge(
    one: list[Roster], other: list[Roster], end: Roster
) -> None:
    expected = {peer.pid: str(peer.record.status) for peer in end.peers}
    assert replayed([*one, end]) == replayed([*other, end]) == expected
