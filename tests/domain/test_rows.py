from __future__ import annotations

import pytest

from tests.building import NOW, build_peer
from tui.domain.peers import Liveness, Peer
from tui.domain.rows import UNKNOWN, UNNAMED, age, age_changes_in, attention_order, badge, row, summary

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000


@pytest.mark.parametrize(
    ("passed", "shown"),
    [
        (0, "0s"),
        (59 * SECOND + 999, "59s"),
        (MINUTE, "1m"),
        (HOUR - 1, "59m"),
        (HOUR, "1h"),
        (47 * HOUR, "47h"),
        (48 * HOUR, "2d"),
        (-10 * MINUTE, "0s"),
    ],
)
def test_an_age_is_shown_in_its_largest_unit_and_never_below_zero(passed: int, shown: str) -> None:
    assert age(NOW - passed, NOW) == shown


def test_an_unknown_time_has_no_age_and_never_changes() -> None:
    assert age(None, NOW) == UNKNOWN
    assert age_changes_in(None, NOW) is None


@pytest.mark.parametrize("passed", [0, 1, 999, 30_500, 59_999, 60_000, 90_001, HOUR - 1, HOUR, 50 * HOUR, -5000])
def test_an_age_stays_the_same_until_the_moment_that_is_named_for_its_change(passed: int) -> None:
    since = NOW - passed
    step = age_changes_in(since, NOW)
    assert step is not None
    assert step > 0
    assert age(since, NOW + step - 1) == age(since, NOW)
    assert age(since, NOW + step) != age(since, NOW)


@pytest.mark.parametrize(
    ("peer", "shown"),
    [
        (build_peer(1, status="busy"), "● busy"),
        (build_peer(1, status="idle"), "○ idle"),
        (build_peer(1, status="shell"), "◐ shell"),
        (build_peer(1, status="waiting", waitingFor="permission prompt"), "▲ waiting, permission prompt"),
        (build_peer(1, status="waiting"), "▲ waiting"),
        (build_peer(1, status="compacting"), "? unknown, compacting"),
        (build_peer(1, status=None), "? unknown"),
        (build_peer(1, status="busy", liveness=Liveness.PARKED), "◇ parked"),
        (build_peer(1, status="busy", liveness=Liveness.ELSEWHERE, reachable=False), "◌ elsewhere"),
        (build_peer(1, status="idle", reachable=False), "○ idle, unreachable"),
        (build_peer(1, status="busy", liveness=Liveness.UNVERIFIED), "● busy, unverified"),
        (build_peer(1, name="peerdeck", entrypoint="sdk-cli"), "→ courier"),
    ],
)
def test_every_state_has_a_glyph_and_a_word(peer: Peer, shown: str) -> None:
    assert str(badge(peer)) == shown


def test_a_row_shows_the_home_directory_as_a_tilde_and_everything_else_as_it_is() -> None:
    cells = row(build_peer(1, cwd="/home/u/work", name="fix [WIP] login"), NOW, "/home/u")
    assert (cells.directory, cells.name, cells.age, cells.kind, cells.version) == (
        "~/work",
        "fix [WIP] login",
        "1m",
        "interactive",
        "2.1.328",
    )
    assert row(build_peer(1, cwd="/home/u2/work"), NOW, "/home/u").directory == "/home/u2/work"
    assert row(build_peer(1, cwd="/home/u"), NOW, "/home/u").directory == "~"


def test_a_record_with_hardly_anything_in_it_still_has_a_row() -> None:
    peer = build_peer(1, name=None, cwd=None, kind=None, version=None, statusUpdatedAt=None, entrypoint="webconsole")
    cells = row(peer, NOW, "/home/u")
    assert (cells.name, cells.directory, cells.kind, cells.version, cells.age) == (
        UNNAMED,
        UNKNOWN,
        f"{UNKNOWN} webconsole",
        UNKNOWN,
        UNKNOWN,
    )


@pytest.mark.parametrize("hostile", ["a\x1b]0;owned\x07b", "\x9b31mred", "a\nb", "\u202eabc"])
def test_no_cell_holds_a_control_character_whichever_field_it_came_from(hostile: str) -> None:
    peer = build_peer(1, name=hostile, cwd=hostile, kind=hostile, version=hostile, status="waiting", waitingFor=hostile)
    cells = row(peer, NOW, "/home/u")
    shown = (str(cells.badge), cells.name, cells.directory, cells.kind, cells.version)
    assert all(cell.isprintable() or "\N{REPLACEMENT CHARACTER}" in cell for cell in shown)
    assert not any(control in cell for cell in shown for control in "\x1b\x07\x9b\n\u202e")


def test_who_waits_for_their_user_comes_first_and_equal_needs_are_sorted_by_name() -> None:
    peers = [
        build_peer(1, status="idle", name="b"),
        build_peer(2, status="busy", name="z"),
        build_peer(3, status="idle", name="A"),
        build_peer(4, status="waiting", name="y"),
        build_peer(5, status="busy", liveness=Liveness.PARKED, name="a"),
        build_peer(6, status="shell", name="s"),
        build_peer(7, status=None, name="u"),
    ]
    assert [peer.pid for peer in sorted(peers, key=attention_order)] == [4, 2, 6, 3, 1, 7, 5]


def test_the_summary_counts_waiting_first_and_never_counts_a_parked_session_as_busy() -> None:
    peers = [
        build_peer(1, status="idle"),
        build_peer(2, status="waiting"),
        build_peer(3, status="busy", liveness=Liveness.PARKED),
        build_peer(4, status="busy"),
    ]
    assert summary(peers) == "1 waiting · 1 busy · 1 idle · 1 other"
    assert summary([]) == "no live sessions"
