"""`peerdeck watch`."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from tui.cli.exits import Exit
from tui.cli.output import print_json, print_line
from tui.domain.roster import PeerAdded, PeerChanged, PeerRemoved, RegistryState, Roster, changes, peer_facts
from tui.domain.text import one_line, visible
from tui.effects.claude_home import find_claude_home
from tui.effects.watcher import RegistryWatcher

if TYPE_CHECKING:
    import argparse

_NAME_CELLS = 60


def run(options: argparse.Namespace) -> int:
    """Print a line for each session there is, then one for each change, until it is interrupted."""
    asyncio.run(_watch(RegistryWatcher(find_claude_home(options.config_dir, os.environ)), as_json=options.json))
    return Exit.OK


async def _watch(watcher: RegistryWatcher, *, as_json: bool) -> None:
    before: Roster | None = None
    async with aclosing(watcher.watch()) as rosters:
        async for roster in rosters:
            for event in events(before, roster):
                if as_json:
                    print_json(event)
                else:
                    print_line(_sentence(event))
            before = roster


def events(before: Roster | None, after: Roster) -> list[dict[str, Any]]:
    """Return what happened between two rosters as plain JSON values, trouble first."""
    found: list[dict[str, Any]] = []
    trouble = _trouble(after)
    if trouble != (_trouble(before) if before else None):
        reason, message = trouble or (None, "all is well again")
        found.append({"event": "trouble", "reason": reason, "message": message})
    found.extend(map(_event, changes(before, after)))
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


def _trouble(roster: Roster) -> tuple[str, str] | None:
    if roster.state is not RegistryState.READ:
        return roster.state.value, f"{roster.directory}: {roster.detail}"
    if roster.watch_trouble:
        return "not_told", roster.watch_trouble
    return ("exposed", roster.exposure) if roster.exposure else None


def _sentence(event: dict[str, Any]) -> str:
    if event["event"] == "trouble":
        return visible(f"trouble: {event['message']}")
    peer = event["peer"]
    name = one_line(peer["name"] or "", _NAME_CELLS)
    changed = event.get("changed", {}).items()
    # An endpoint changes with the name or the inbox, and is for programs.
    words = ", ".join(f"{key} {old} → {new}" for key, (old, new) in changed if key != "endpoint")
    what = words or peer["status"] or "unknown"
    return visible(f"{event['event']}: {name} (pid {peer['pid']}): {what}")
