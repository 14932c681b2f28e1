from __future__ import annotations

import unicodedata

from tests.building import NOW, build_peer, build_roster
from tests.ui.deck import open_deck
from tui.domain.peers import Liveness

ODD_NAMES = [
    "a\x1b]0;owned\x07b",
    "\x1b[31mred",
    "\x9b31mred",
    "a\nb",
    "a\tb",
    "\u202eabc",
    "\u200b",
    "",
    "x" * 5000,
]
BRACKET_NAMES = [
    "probe [ce3140]",
    "probe [36024e]",
    "fix [WIP] login",
    "[/tmp/x]",
    "[/]",
    "[b + x",
    "v={'a[0]'}]",
    "[@click=app.quit]hi[/]",
    "trail\\",
]


def numbered(count: int) -> list[int]:
    return list(range(41001, 41001 + count))


async def test_what_waits_for_its_user_stands_first_and_equal_names_keep_their_place() -> None:
    peers = [
        build_peer(41001, name="idle-one"),
        build_peer(41002, name="busy-one", status="busy"),
        build_peer(41003, name="waits", status="waiting"),
        build_peer(41004, name="parked-one", status="busy", liveness=Liveness.PARKED),
    ]
    async with open_deck(*peers) as deck:
        assert deck.rows() == ["waits", "busy-one", "idle-one", "parked-one"]


async def test_the_columns_are_those_that_fit_and_fill_the_pane_while_the_cursor_stays_on_its_peer() -> None:
    narrow, middle = ["Status", "Age", "Name"], ["Status", "Age", "Name", "Directory"]
    wide = [*middle, "Kind", "Version"]
    async with open_deck(*map(build_peer, numbered(5)), size=(120, 20)) as deck:
        await deck.press("down", "down")
        for width, columns in (
            (120, wide),
            (114, wide),
            (80, middle),
            (70, middle),
            (40, narrow),
            (24, ["Status", "Name"]),
        ):
            await deck.pilot.resize_terminal(width, 20)
            await deck.pilot.pause()
            assert deck.line("Status").split() == columns
            assert deck.table.virtual_size.width == deck.table.scrollable_content_region.width
            assert deck.cursor_pid == 41003


async def test_a_long_directory_is_cut_at_its_beginning_and_a_long_name_at_its_end() -> None:
    peer = build_peer(41001, name="n" * 60 + "END", cwd="/home/u/START/" + "d" * 60 + "/last")
    async with open_deck(peer, size=(80, 20)) as deck:
        row = deck.lines()[2]
        assert "nnn… " in row
        assert " …ddd" in row
        assert "dd/last" in row
        assert "END" not in row


async def test_no_text_of_a_record_reaches_the_terminal_as_anything_but_visible_characters() -> None:
    async with open_deck() as deck:
        for name in ODD_NAMES:
            peer = build_peer(
                41001, name=name, cwd=f"/{name}", status="waiting", waitingFor=name, version=name, kind=name
            )
            await deck.show(roster=build_roster(peer, watch_trouble=name))
            written = "".join(deck.lines())
            assert [each for each in written if unicodedata.category(each) in {"Cc", "Cf", "Zl", "Zp"}] == []
            assert {len(deck.table.rows), deck.cursor_pid} == {1, 41001}
            assert all(strip.cell_length == 112 for strip in deck.app.screen._compositor.render_strips())


async def test_brackets_are_shown_character_for_character() -> None:
    async with open_deck(size=(160, 30)) as deck:
        for name in BRACKET_NAMES:
            peer = build_peer(41001, name=name, cwd=f"/{name}", status="waiting", waitingFor=name)
            await deck.show(roster=build_roster(peer, watch_trouble=name))
            assert f" {name} " in deck.lines()[3]
            assert f" /{name} " in deck.lines()[3]
            assert f"! {name} " in deck.lines()[1]
            assert f"To {name}  ▲ waiting, {name}  /{name} " in deck.line("To ")


async def test_a_name_that_several_share_is_marked_on_each_with_its_pid() -> None:
    same = [build_peer(pid, name="proj-0c") for pid in numbered(5)]
    async with open_deck(*same, build_peer(41009, name="other", sessionId=same[0].record.session_id)) as deck:
        assert len(deck.table.rows) == 6
        assert [line.split()[4:7] for line in deck.lines() if "×5" in line] == [
            ["×5", "pid", str(peer.pid)] for peer in same
        ]
        await deck.show(same[0], same[1])
        assert "×2 pid 41001" in deck.line("pid 41001")
        await deck.show(same[0])
        assert not deck.shows("×")


async def test_a_name_that_could_be_taken_for_another_is_marked() -> None:
    async with open_deck() as deck:
        for other in ("PROJ-0c", "proj-0c ", "\N{FULLWIDTH LATIN SMALL LETTER P}roj-0c"):
            await deck.show(build_peer(41001, name="proj-0c"), build_peer(41002, name=other))
            assert sum("×2" in line for line in deck.lines()[2:4]) == 2


async def test_a_pane_that_is_narrow_keeps_the_mark_and_cuts_the_name() -> None:
    peers = [build_peer(pid, name="a-name-that-is-rather-long") for pid in numbered(2)]
    async with open_deck(*peers, size=(40, 15)) as deck:
        assert deck.lines()[2].rstrip().endswith("… ×2")


async def test_the_cursor_stays_with_its_peer_when_others_are_sorted_above_it_or_go() -> None:
    peers = [build_peer(pid) for pid in numbered(30)]
    async with open_deck(*peers) as deck:
        await deck.press(*["down"] * 19)
        assert deck.cursor_pid == 41020
        peers[24] = build_peer(41025, status="waiting")
        await deck.show(*peers)
        assert deck.rows()[0] == "proj-41025"
        assert deck.cursor_pid == 41020
        await deck.show(*peers[3:])
        assert deck.cursor_pid == 41020
        await deck.press("enter")
        assert "To proj-41020" in deck.line("To ")


async def test_the_cursor_goes_to_the_neighbour_when_its_peer_goes() -> None:
    peers = [build_peer(pid) for pid in numbered(4)]
    async with open_deck(*peers) as deck:
        await deck.press("down")
        await deck.show(peers[0], peers[2], peers[3])
        assert deck.cursor_pid == 41003
        await deck.press("down")
        await deck.show(peers[0], peers[2])
        assert deck.cursor_pid == 41003
        assert "To proj-41003" in deck.line("To ")


async def test_peers_that_go_and_come_again_find_their_row_and_the_cursor_where_they_were() -> None:
    peers = [build_peer(pid) for pid in numbered(4)]
    async with open_deck(*peers) as deck:
        await deck.press("down", "down")
        await deck.show()
        await deck.show(*peers)
        assert deck.cursor_pid == 41003
        deck.source.show(build_roster(*peers[:2]))
        await deck.show(*peers)
        await deck.show(*peers[:2], build_peer(41003, procStart="1", version="9"))
        assert deck.rows() == ["proj-41001", "proj-41002", "proj-41003"]


async def test_many_changes_leave_cursor_and_scroll_where_the_user_put_them() -> None:
    peers = [build_peer(pid) for pid in numbered(60)]
    async with open_deck(*peers, size=(80, 24)) as deck:
        await deck.press(*["down"] * 30)
        line = deck.table.scroll_offset.y
        for turn in range(8):
            peers[45] = build_peer(41046, status="busy" if turn % 2 else "idle", statusUpdatedAt=NOW - turn)
            await deck.show(*peers)
            assert deck.cursor_pid == 41031
        assert deck.table.scroll_offset.y in {line, line + 1}
        assert any("proj-41031" in shown for shown in deck.lines())


async def test_a_view_that_was_scrolled_away_from_the_cursor_is_not_pulled_back() -> None:
    peers = [build_peer(pid) for pid in numbered(60)]
    async with open_deck(*peers, size=(80, 24)) as deck:
        deck.table.scroll_to(y=40, animate=False)
        await deck.until(lambda: deck.table.scroll_offset.y == 40)
        peers[50] = build_peer(41051, version="9")
        await deck.show(*peers)
        assert deck.table.scroll_offset.y == 40
        assert deck.cursor_pid == 41001


async def test_when_most_peers_go_at_once_those_that_stay_keep_their_order_and_the_cursor() -> None:
    peers = [build_peer(pid) for pid in numbered(100)]
    async with open_deck(*peers) as deck:
        await deck.press(*["down"] * 5)
        await deck.show(*peers[5:15])
        assert deck.rows() == [f"proj-{pid}" for pid in range(41006, 41016)]
        assert deck.cursor_pid == 41006


async def test_ages_go_on_without_a_new_roster_and_touch_only_the_cells_that_differ() -> None:
    peers = [
        build_peer(41001, name="young", statusUpdatedAt=NOW - 5_000),
        build_peer(41002, name="older", statusUpdatedAt=NOW - 180_000),
        build_peer(41003, name="never", statusUpdatedAt=None),
        build_peer(41004, name="future", statusUpdatedAt=NOW + 600_000),
    ]
    async with open_deck(*peers) as deck:
        untouched = deck.table.get_row("41002"), deck.table.get_cell("41001", "name")
        deck.clock.now += 1_000
        await deck.until(lambda: " 6s " in deck.line("young"))
        assert " 3m " in deck.line("older")
        assert " — " in deck.line("never")
        assert " 0s " in deck.line("future")
        assert all(one is other for one, other in zip(untouched[0], deck.table.get_row("41002"), strict=True))
        assert untouched[1] is deck.table.get_cell("41001", "name")


async def test_ages_rest_under_another_screen_and_are_right_when_it_is_closed() -> None:
    async with open_deck(build_peer(41001, statusUpdatedAt=NOW - 5_000)) as deck:
        await deck.press("s")
        deck.clock.now += 60_000
        await deck.press("escape")
        assert " 1m " in deck.line("proj-41001")


async def test_a_status_that_is_not_known_is_shown_with_its_own_word() -> None:
    peers = [build_peer(41001, status="compacting"), build_peer(41002, status=None, statusUpdatedAt=None)]
    async with open_deck(*peers) as deck:
        assert "? unknown, compac…" in deck.line("proj-41001")
        assert "? unknown " in deck.line("proj-41002")


async def test_w_goes_from_one_that_waits_to_the_next() -> None:
    peers = [build_peer(pid, status="waiting" if pid < 41003 else "idle") for pid in numbered(4)]
    async with open_deck(*peers) as deck:
        await deck.press("end", "w")
        assert deck.cursor_pid == 41001
        await deck.press("w")
        assert deck.cursor_pid == 41002


async def test_a_courier_is_no_row_and_moves_nothing() -> None:
    peers = [build_peer(pid) for pid in numbered(3)]
    courier = build_peer(40001, name="peerdeck", entrypoint="sdk-cli")
    async with open_deck(*peers) as deck:
        await deck.press("down")
        await deck.show(courier, *peers)
        assert deck.rows() == ["proj-41001", "proj-41002", "proj-41003"]
        assert deck.cursor_pid == 41002
        assert "3 idle" in deck.lines()[0]
