from __future__ import annotations

import pytest

from tests.building import build_peer, build_record
from tui.domain.peers import Liveness, PeerStatus, PidSpace, Place, ProcessSight, judge_liveness, same_start

HERE = PidSpace("linux", frozenset({"aaaa", "host-a"}), "4026531836")
MAC = PidSpace("darwin")


def judged(sight: ProcessSight, place: Place = Place.HERE, **changes: object) -> Liveness:
    return judge_liveness(build_record(41001, procStart="500", **changes), place, sight)


def test_a_process_with_the_recorded_start_is_live() -> None:
    assert judged(ProcessSight(exists=True, start="500")) is Liveness.LIVE


def test_a_pid_that_another_process_has_now_is_not_live() -> None:
    assert judged(ProcessSight(exists=True, start="501")) is Liveness.REUSED


def test_no_process_is_not_live() -> None:
    assert judged(ProcessSight(exists=False)) is Liveness.GONE


def test_the_process_that_looks_is_no_session() -> None:
    assert judged(ProcessSight(exists=True, start="500", is_ours=True)) is Liveness.REUSED
    assert judged(ProcessSight(exists=True, is_ours=True), Place.ELSEWHERE) is Liveness.ELSEWHERE


@pytest.mark.parametrize("start", [None, "Mon Nov 30 05:52:00 2026"])
def test_a_start_that_cannot_be_compared_is_unverified_and_never_dead(start: str | None) -> None:
    assert judged(ProcessSight(exists=True, start=start)) is Liveness.UNVERIFIED


def test_a_window_that_handed_its_session_on_is_parked_and_a_spare_worker_is_no_session() -> None:
    same = ProcessSight(exists=True, start="500")
    assert judged(same, parkedJobId="ca11ab1e") is Liveness.PARKED
    assert judged(same, spare=True) is Liveness.SPARE
    assert judged(ProcessSight(exists=True, start="501"), parkedJobId="ca11ab1e") is Liveness.REUSED


def test_a_process_that_is_not_there_is_not_called_over_where_the_pid_space_is_not_known() -> None:
    assert judged(ProcessSight(exists=False), Place.UNKNOWN) is Liveness.ELSEWHERE


def test_a_record_of_another_pid_space_is_neither_dead_nor_live_whatever_process_has_its_number() -> None:
    for sight in (ProcessSight(exists=False), ProcessSight(exists=True, start="500")):
        assert judged(sight, Place.ELSEWHERE) is Liveness.ELSEWHERE


@pytest.mark.parametrize(
    ("domain", "place"),
    [
        (None, Place.HERE),
        ("linux:aaaa:pid:[4026531836]", Place.HERE),
        ("linux:host-a:pid:[4026531836]", Place.HERE),
        ("linux:aaaa:pid:[4026532999]", Place.ELSEWHERE),
        ("linux:other-host:pid:[4026531836]", Place.ELSEWHERE),
        ("win32:DESK", Place.ELSEWHERE),
        ("darwin", Place.ELSEWHERE),
        ("41001", Place.UNKNOWN),
        ("linux:aaaa:pidns:77", Place.UNKNOWN),
        ("linux:", Place.UNKNOWN),
        ("darwin:host", Place.ELSEWHERE),
    ],
)
def test_a_pid_domain_says_whether_a_pid_counts_here(domain: str | None, place: Place) -> None:
    assert HERE.place(domain) is place


def test_on_macos_only_its_own_domain_counts() -> None:
    assert MAC.place("darwin") is Place.HERE
    assert MAC.place("linux:aaaa:pid:[4026531836]") is Place.ELSEWHERE


def test_starts_spelled_by_ps_are_compared_without_regard_to_padding() -> None:
    assert same_start("Mon Nov  2 05:52:00 2026", "Mon Nov 2 05:52:00 2026 ") is True


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("busy", PeerStatus.BUSY),
        ("shell", PeerStatus.SHELL),
        ("waiting", PeerStatus.WAITING),
        ("idle", PeerStatus.IDLE),
        ("compacting", PeerStatus.UNKNOWN),
        ("Busy", PeerStatus.UNKNOWN),
        (None, PeerStatus.UNKNOWN),
    ],
)
def test_a_status_that_is_not_known_is_unknown_and_never_idle_or_busy(word: str | None, status: PeerStatus) -> None:
    assert build_peer(1, status=word).status is status


def test_a_courier_of_another_peerdeck_is_known_by_its_name_and_entrypoint() -> None:
    assert build_peer(1, name="peerdeck", entrypoint="sdk-cli").is_courier
    assert build_peer(1, name="peerdeck-melodic-haven", nameSource="collision", entrypoint="sdk-cli").is_courier
    assert not build_peer(1, name="peerdeck").is_courier
    assert not build_peer(1, name="peerdeck-3f", entrypoint="sdk-cli").is_courier


def test_a_peer_without_name_or_inbox_has_no_endpoint() -> None:
    assert build_peer(1, name=None).endpoint is None
    assert build_peer(1, messagingSocketPath=None).endpoint is None
    assert str(build_peer(1, name="a:b", messagingSocketPath="/s").endpoint) == "cc-peer:v1:1:a%3Ab:/s"
