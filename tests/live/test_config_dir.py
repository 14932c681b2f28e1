"""One config directory is used for everything: records, settings and couriers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.live.room import Room
from tests.waiting import wait_until
from tui.domain.courier import CONFIG_DIR_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live.room import Finished


@pytest.fixture(scope="module")
def elsewhere(program: Path) -> Iterator[Room]:
    """A room whose sessions keep everything in another config directory."""
    with Room(program, "elsewhere") as room:
        room.start("alpha")
        yield room


@pytest.fixture(params=["variable", "option"])
def named(request: pytest.FixtureRequest) -> str:
    """How the directory is named; an empty variable counts as none."""
    return str(request.param)


def peerdeck(room: Room, named: str, *arguments: str) -> Finished:
    if named == "variable":
        return room.peerdeck(*arguments)
    return room.peerdeck("--config-dir", str(room.config_dir), *arguments, variables={CONFIG_DIR_VARIABLE: ""})


def test_list_policy_and_send_use_it(elsewhere: Room, named: str) -> None:
    alpha = elsewhere.sessions["alpha"]
    assert [row["pid"] for row in peerdeck(elsewhere, named, "list", "--json").json] == [alpha.pid]
    assert peerdeck(elsewhere, named, "policy", "accept").code == 0
    assert json.loads(elsewhere.settings.read_text())["crossSessionInbound"] == "accept"
    assert peerdeck(elsewhere, named, "send", "--json", "alpha", f"named by {named}").json["outcome"] == "sent"
    wait_until(lambda: f"named by {named}" in alpha.received, "the text in the transcript")
    assert elsewhere.strangers() == []
    assert elsewhere.courier_records() == []


def test_the_default_directory_is_another_one(elsewhere: Room) -> None:
    finished = elsewhere.peerdeck("send", "--json", "alpha", "hello?", variables={CONFIG_DIR_VARIABLE: ""})
    assert (finished.code, finished.json["outcome"]) == (1, "not_live")
    assert not (elsewhere.home / ".claude").exists()
