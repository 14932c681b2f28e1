"""`peerdeck`: the dashboard."""

from __future__ import annotations

import gc
import os
import sys
import time
from typing import TYPE_CHECKING

from tui import __version__
from tui.cli.deferred import DeferredCourier, DeferredSettings
from tui.cli.exits import CommandError, Exit
from tui.effects.claude_home import find_claude_home

if TYPE_CHECKING:
    import argparse

    from tui.app import PeerdeckApp


def run(options: argparse.Namespace) -> int:
    """Open the dashboard and return when it is closed."""
    # Textual draws to stderr, and reads keys from stdin.
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise CommandError(Exit.USAGE, "the dashboard needs a terminal", "Use `peerdeck list` or `peerdeck watch`.")
    gc.disable()  # nothing that is imported becomes garbage, and looking for it takes a tenth of the start
    app = _build(options)
    gc.freeze()
    gc.enable()
    app.run()
    return app.return_code or Exit.OK


def _build(options: argparse.Namespace) -> PeerdeckApp:
    # It brings Textual, which no other verb needs.
    from tui.app import PeerdeckApp  # noqa: PLC0415
    from tui.effects.lifeline import TerminalLifeline  # noqa: PLC0415
    from tui.effects.watcher import RegistryWatcher  # noqa: PLC0415

    home = find_claude_home(options.config_dir, os.environ)
    courier = DeferredCourier(options.claude, home)
    source = RegistryWatcher(home, lambda: courier.pids)
    return PeerdeckApp(
        source=source,
        courier=courier,
        settings=DeferredSettings(home),
        clock=lambda: time.time_ns() // 1_000_000,
        lifeline=TerminalLifeline(),
        home=os.path.expanduser("~"),  # noqa: PTH111 - Path.expanduser raises without a home
        registry=home.registry,
        version=__version__,
        roster=source.read_now(),
    )
