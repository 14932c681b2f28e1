"""What `peerdeck send` says when the receiving session does not let the message in, or is not who was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.live.room import Room


def test_a_session_in_bypass_mode_holds_and_asks_its_user(room: Room) -> None:
    dave = room.sessions["dave"]
    finished = room.send("dave", "may I?")
    assert (finished.code, finished.json["outcome"], finished.json["verified"]) == (1, "held_by_peer", True)
    dave.wait_for_status("waiting")
    assert "may I?" not in dave.received
    dave.press("\x1b[B\r")  # "Deliver this message to Claude"
    wait_until(lambda: "may I?" in dave.received, "the message after its user's approval")
    dave.wait_for_status("idle")


def test_nobody_is_written_to_under_an_unknown_name(room: Room) -> None:
    finished = room.send("nobody", "hello?")
    assert finished.code == 1
    assert (finished.json["outcome"], finished.json["cause"]) == ("not_live", "no_such_session")
    assert finished.json["verified"] is False


def test_a_killed_session_is_not_live(room: Room) -> None:
    doomed = room.start("doomed")
    endpoint = next(row["endpoint"] for row in room.peerdeck("list", "--json").json if row["pid"] == doomed.pid)
    session_id = doomed.session_id
    doomed.kill()
    for target in ("doomed", session_id, endpoint):
        finished = room.send(target, "hello?")
        assert (finished.code, finished.json["outcome"]) == (1, "not_live")


def test_an_endpoint_of_a_session_that_was_renamed_is_refused(room: Room) -> None:
    renamed = room.start("before")
    endpoint = next(row["endpoint"] for row in room.peerdeck("list", "--json").json if row["pid"] == renamed.pid)
    renamed.enter("/rename after")
    wait_until(lambda: renamed.record["name"] == "after", "the new name")
    finished = room.send(endpoint, "hello?")
    assert finished.code == 1
    assert (finished.json["outcome"], finished.json["cause"]) == ("identity_mismatch", "identity_changed")
    assert renamed.received == []


def test_a_session_that_runs_twice_is_refused(room: Room) -> None:
    first = room.start("first")
    first.enter("reply hello")  # a session can be resumed once it has said something
    wait_until(lambda: "assistant" in {row["type"] for row in first.transcript}, "an answer")
    second = room.start("second", "--resume", first.session_id, beside="first")
    assert second.session_id == first.session_id
    finished = room.send(first.session_id, "hello?")
    assert finished.code == 1
    assert (finished.json["outcome"], finished.json["cause"]) == ("identity_mismatch", "ambiguous_name")
    assert first.received == []
