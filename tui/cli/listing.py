"""`peerdeck list`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from tui.cli import tell
from tui.cli.exits import CommandError, Exit
from tui.cli.output import print_json, print_table
from tui.domain.roster import RegistryState, peer_facts
from tui.domain.rows import attention_order, row
from tui.domain.text import one_line
from tui.effects.claude_home import find_claude_home
from tui.effects.exposure import exposure
from tui.effects.registry_reader import RegistryReader

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tui.domain.peers import Peer
    from tui.domain.records import RegistryFault
    from tui.domain.roster import Roster

_HEADINGS: Final = ("STATUS", "AGE", "NAME", "DIRECTORY", "KIND", "VERSION")
_FAULT_CELLS: Final = 200


def run(options: argparse.Namespace) -> int:
    """Print the sessions, those that need attention first."""
    home = find_claude_home(options.config_dir, os.environ)
    roster = RegistryReader(home).read_now()
    if roster.state is RegistryState.UNREADABLE:
        raise CommandError(
            Exit.UNREADABLE,
            f"{roster.directory} cannot be read: {roster.detail}",
            "Make the directory readable for you, or name another with --config-dir.",
        )
    shown = roster.peers if options.all else roster.without_couriers().peers
    peers = [*sorted(shown, key=attention_order), *(roster.absent if options.all else ())]
    if options.json:
        print_json([peer_facts(peer) for peer in peers])
    else:
        _print_rows(peers, with_liveness=options.all)
    if exposed := exposure((home.registry, home.config_dir)):
        tell(exposed)
    _tell_of_nothing(roster, peers)
    if options.all:
        _tell_of_faults(roster.faults)
    return Exit.OK


def _print_rows(peers: Sequence[Peer], *, with_liveness: bool) -> None:
    if not peers:
        return
    now_ms, home = time.time_ns() // 1_000_000, os.path.expanduser("~")  # noqa: PTH111
    rows = [_HEADINGS + (("LIVENESS",) if with_liveness else ())]
    for peer in peers:
        cells = row(peer, now_ms, home)
        shown = (str(cells.badge), cells.age, cells.name, cells.directory, cells.kind, cells.version)
        rows.append(shown + ((peer.liveness.value,) if with_liveness else ()))
    print_table(rows)


def _tell_of_nothing(roster: Roster, peers: Sequence[Peer]) -> None:
    if roster.state is RegistryState.MISSING:
        tell(f"{roster.directory} does not exist", "Claude Code makes it when its first session starts.")
    elif not peers:
        tell(f"no live sessions in {roster.directory}", "Start one with `claude`.")


def _tell_of_faults(faults: Sequence[RegistryFault]) -> None:
    for fault in faults:
        tell(one_line(f"{fault.file}: {fault.reason.value}: {fault.message}", _FAULT_CELLS))
