"""What `list` and `watch` say about real sessions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.live.watch import Watch
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.live.room import Room


@pytest.fixture
def watch(room: Room) -> Iterator[Watch]:
    with Watch(room) as watch:
        watch.wait_for_peers(len(room.sessions))
        yield watch


def listed(room: Room, *options: str) -> dict[int, dict[str, Any]]:
    return {row["pid"]: row for row in room.peerdeck("list", "--json", *options).json}


def test_list_says_of_every_session_what_claude_agents_says(room: Room) -> None:
    room.sessions["alpha"].enter("think")
    room.sessions["alpha"].wait_for_status("busy")
    room.sessions["beta"].enter("runshell touch there")
    room.sessions["beta"].wait_for_status("waiting")
    shell = room.start("shell", "--dangerously-skip-permissions")
    shell.enter("background sleep 3600")
    shell.wait_for_status("shell")
    ours, theirs = listed(room), json.loads(room.claude("agents", "--json"))

    # The vendor's listing calls a background shell busy and leaves out what is not known.
    ours[shell.pid]["status"] = "busy"
    assert [{key: ours[row["pid"]][key] for key in row} for row in theirs] == theirs
    assert {row["status"] for row in theirs} == {"busy", "waiting", "idle"}
    assert ours.keys() == {row["pid"] for row in theirs}
    room.model.release()
    room.sessions["alpha"].wait_for_status("idle")
    room.sessions["beta"].press("\x1b")
    room.sessions["beta"].wait_for_status("idle")


def test_watch_tells_of_busy_waiting_and_idle(room: Room, watch: Watch) -> None:
    beta = room.sessions["beta"]

    def told(*statuses: str) -> None:
        wait_until(lambda: watch.changes(beta.pid, "status")[-len(statuses) :] == [*statuses], " and ".join(statuses))

    beta.enter("think")
    told("busy")
    room.model.release()
    told("busy", "idle")
    beta.enter("runshell touch there")
    told("waiting")
    beta.press("\x1b")
    told("waiting", "idle")
    assert watch.changes(beta.pid, "waitingFor") == ["permission prompt", None]


def test_watch_and_list_tell_of_a_new_name(room: Room, watch: Watch) -> None:
    gamma = room.sessions["gamma"]
    gamma.enter("/rename delta")
    watch.wait_for(lambda event: event.get("changed", {}).get("name") == ["gamma", "delta"])
    assert listed(room)[gamma.pid]["name"] == "delta"
    gamma.enter("/rename gamma")
    watch.wait_for(lambda event: event.get("changed", {}).get("name") == ["delta", "gamma"])


def test_a_killed_session_leaves_the_list_and_the_watch_although_its_record_stays(room: Room, watch: Watch) -> None:
    doomed = room.start("doomed")
    watch.wait_for(lambda event: event["event"] == "added" and event["peer"]["pid"] == doomed.pid)
    doomed.kill()
    watch.wait_for(lambda event: event["event"] == "removed" and event["peer"]["pid"] == doomed.pid)
    assert doomed.record["name"] == "doomed"
    assert doomed.pid not in listed(room)
    assert listed(room, "--all")[doomed.pid]["liveness"] == "gone"


def test_a_session_that_ends_leaves_the_list_and_the_watch(room: Room, watch: Watch) -> None:
    pid = room.start("brief").pid
    watch.wait_for(lambda event: event["event"] == "added" and event["peer"]["pid"] == pid)
    room.end("brief")
    watch.wait_for(lambda event: event["event"] == "removed" and event["peer"]["pid"] == pid)
    assert pid not in listed(room, "--all")


def test_watch_ends_on_ctrl_c(watch: Watch) -> None:
    assert watch.interrupt() == 130
