"""However the registry is changed, and in whatever order that is told, the roster is the one of a fresh read."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.building import record_fields
from tui.domain.peers import PidSpace, ProcessSight
from tui.effects import registry as registry_module
from tui.effects.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tui.domain.roster import Roster

PIDS: Final = (1, 2, 3, 4)
NAMES: Final = (*(f"{pid}.json" for pid in PIDS), "notes.json", "3.json.tmp.9")
CONTENTS: Final[tuple[bytes, ...]] = tuple(
    content.encode()
    for pid in PIDS
    for content in (
        *(json.dumps(record_fields(pid, status=status)) for status in ("idle", "busy")),
        json.dumps(record_fields(pid, procStart="1")),
        json.dumps(record_fields(pid, pidDomain="win32:DESK")),
        json.dumps(record_fields(pid))[:60],
        "null",
    )
)

Change = tuple[str, Any, Any]
_NAME = st.sampled_from(NAMES)
CHANGES = (
    st.tuples(st.just("write"), _NAME, st.sampled_from(CONTENTS))
    | st.tuples(st.just("replace"), _NAME, st.sampled_from(CONTENTS))
    | st.tuples(st.just("delete"), _NAME, st.none())
    | st.tuples(st.just("rename"), _NAME, _NAME)
    | st.tuples(st.just("end"), st.sampled_from(PIDS), st.none())
)
TORN: Final = tuple(content for content in CONTENTS if content.startswith(b"{") and not content.endswith(b"}"))
LOOKS = st.sampled_from(["rescan", "told", "told late", "nothing"])


@dataclass
class MortalProcesses:
    """Every process runs, as its record says, until it ends."""

    ended: set[int] = field(default_factory=set)

    def look(self, pid: int) -> ProcessSight:
        return ProcessSight(exists=pid not in self.ended, start=str(pid * 10))


class World:
    """A registry directory, and somebody who follows it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.processes = MortalProcesses()
        self.follower = self.newcomer()
        self.untold: set[str] = set()
        self.untold_ends: set[int] = set()

    def newcomer(self) -> Registry:
        return Registry(self.directory, self.processes, PidSpace("linux"))

    def change(self, change: Change) -> None:
        """Do it, and note which names an event would tell."""
        kind, what, other = change
        if kind == "end":
            self.processes.ended.add(what)
            self.untold_ends.add(what)
            return
        path = self.directory / what
        if kind == "write":
            path.write_bytes(other)
        elif kind == "replace":
            (self.directory / "beside").write_bytes(other)
            (self.directory / "beside").replace(path)
        elif path.exists():
            path.unlink() if kind == "delete" else path.rename(self.directory / other)
        self.untold |= {what, other} if kind == "rename" else {what}

    def look(self, how: str) -> None:
        """Have the follower look, at everything or at what it is told."""
        if how == "rescan":
            self.follower.rescan()
        if how in {"told", "told late"}:
            self.follower.refresh(sorted(self.untold, reverse=how == "told late"), self.untold_ends)
        if how == "told":
            self.untold.clear()
            self.untold_ends.clear()

    def settled(self, roster: Roster) -> Roster:
        """Let the follower's grace for torn files pass."""
        while self.follower.has_torn_files:
            roster = self.follower.rescan()
        return roster


def known(roster: Roster) -> Any:
    return roster.state, [(peer.record, peer.liveness) for peer in roster.peers], roster.absent, roster.faults


@pytest.fixture(scope="module", autouse=True)
def _no_grace() -> Iterator[None]:
    """Make the grace of torn files pass at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry_module, "TORN_GRACE", 0.0)
        yield


def go_through(world: World, story: Iterable[tuple[Change, str]]) -> None:
    for change, look in story:
        world.change(change)
        world.look(look)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CHANGES, LOOKS), max_size=14))
def test_any_sequence_of_changes_and_looks_ends_in_the_roster_of_a_fresh_read(story: list[tuple[Change, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        go_through(world, story)
        assert known(world.settled(world.follower.rescan())) == known(world.newcomer().read())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CHANGES.filter(lambda change: change[2] not in TORN), LOOKS), max_size=14))
def test_whoever_is_told_of_every_change_to_whole_files_need_not_look_at_all_of_them(
    story: list[tuple[Change, str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        go_through(world, [(change, "nothing" if look == "rescan" else look) for change, look in story])
        world.look("told")
        told, fresh = world.follower.refresh(()), world.newcomer().read()
        assert known(told)[:3] == known(fresh)[:3]
        # A name that is no record's is none of what is told.
        assert told.faults == tuple(fault for fault in fresh.faults if fault.file != "notes.json")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_two_orders_of_the_same_changes_to_different_files_end_in_the_same_roster(data: st.DataObject) -> None:
    changes = data.draw(
        st.lists(
            st.tuples(st.just("write"), _NAME, st.sampled_from(CONTENTS)), max_size=8, unique_by=lambda each: each[1]
        )
    )
    rosters = []
    for order in (changes, data.draw(st.permutations(changes))):
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder))
            go_through(world, [(change, data.draw(LOOKS)) for change in order])
            rosters.append(known(world.settled(world.follower.rescan())))
    assert rosters[0] == rosters[1]
