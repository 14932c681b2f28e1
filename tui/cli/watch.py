"""`peerdeck watch`."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from tui.cli.exits import Exit
from tui.cli.output import print_json, print_line
from tui.domain.records import FaultReason
from tui.domain.roster import PeerAdded, PeerChanged, PeerRemoved, RegistryState, Roster, changes, peer_facts
from tui.domain.rows import UNKNOWN, UNNAMED
from tui.domain.text import one_line
from tui.effects.claude_home import find_claude_home
from tui.effects.watcher import RegistryWatcher

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

_NAME_CELLS: Final = 60
_LINE_CELLS: Final = 400
_FOR_PROGRAMS: Final = frozenset({"statusUpdatedAt", "startedAt", "procStart", "endpoint"})


def run(options: argparse.Namespace) -> int:
    """Print a line for each session there is, then one for each change, until it is interrupted."""
    asyncio.run(_watch(RegistryWatcher(find_claude_home(options.config_dir, os.environ)), as_json=options.json))
    return Exit.OK


async def _watch(watcher: RegistryWatcher, *, as_json: bool) -> None:
    before: Roster | None = None
    async with aclosing(watcher.watch()) as rosters:
        async for each in rosters:
            roster = each.without_couriers()
            for event in events(before, roster):
                if as_json:
                    print_json(event)
                elif sentence := _sentence(event):
                    print_line(sentence)
            before = roster


def events(before: Roster | None, after: Roster) -> list[dict[str, Any]]:
    """Return what happened between two rosters as plain JSON values, trouble first."""
    was, now = dict(_troubles(before)) if before else {}, dict(_troubles(after))
    begun = [_trouble(key, message, over=False) for key, message in now.items() if was.get(key) != message]
    over = [_trouble(key, message, over=True) for key, message in was.items() if key not in now]
    found = [*begun, *over, *map(_event, changes(before, after))]
    at = time.time_ns() // 1_000_000
    return [{**event, "at": at} for event in found]


def _event(change: PeerAdded | PeerChanged | PeerRemoved) -> dict[str, Any]:
    match change:
        case PeerAdded():
            return {"event": "added", "peer": peer_facts(change.peer)}
        case PeerRemoved():
            return {"event": "removed", "peer": peer_facts(change.peer)}
        case PeerChanged():
            changed = {key: list(values) for key, values in change.changed.items()}
            return {"event": "changed", "changed": changed, "peer": peer_facts(change.peer)}


_TroubleKey = tuple[str, str]
"""The reason, and the file that it is about where there is one."""


def _trouble(key: _TroubleKey, message: str, *, over: bool) -> dict[str, Any]:
    return {"event": "trouble", "reason": key[0], "message": message, "over": over}


def _troubles(roster: Roster) -> Iterator[tuple[_TroubleKey, str]]:
    if roster.state is not RegistryState.READ:
        yield (roster.state.value, ""), f"{roster.directory}: {roster.detail}"
    if roster.watch_trouble:
        yield ("not_told", ""), roster.watch_trouble
    if roster.exposure:
        yield ("exposed", ""), roster.exposure
    for fault in roster.faults:
        if fault.reason is not FaultReason.NAME:  # files of other names never were records
            yield ("unusable_record", fault.file), f"{fault.file}: {fault.reason.value}: {fault.message}"


def _sentence(event: dict[str, Any]) -> str:
    """Put an event into words; empty where only what is for programs changed."""
    if event["event"] == "trouble":
        return one_line(f"trouble{' over' if event['over'] else ''}: {event['message']}", _LINE_CELLS)
    peer = event["peer"]
    what = peer["status"] or UNKNOWN
    if event["event"] == "changed":
        told = {key: values for key, values in event["changed"].items() if key not in _FOR_PROGRAMS}
        if not told:
            return ""
        what = ", ".join(f"{key} {old or UNKNOWN} → {new or UNKNOWN}" for key, (old, new) in told.items())
    name = one_line(peer["name"] or UNNAMED, _NAME_CELLS)
    return one_line(f"{event['event']}: {name} (pid {peer['pid']}): {what}", _LINE_CELLS)
