"""`peerdeck`: the dashboard."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from tui import __version__
from tui.cli.collector import collector_at_rest
from tui.cli.deferred import DeferredCourier, DeferredSettings
from tui.cli.exits import CommandError, Exit
from tui.effects.claude_home import find_claude_home

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from tui.app import PeerdeckApp
    from tui.effects.claude_home import ClaudeHome

_SWEEP_AFTER: Final = 1.0  # seconds; by then the rows are on the screen


def run(options: argparse.Namespace) -> int:
    """Open the dashboard and return when it is closed."""
    # Textual draws to stderr, and reads keys from stdin.
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise CommandError(Exit.USAGE, "the dashboard needs a terminal", "Use `peerdeck list` or `peerdeck watch`.")
    home = find_claude_home(options.config_dir, os.environ)
    with collector_at_rest():
        app = _build(options.claude, home)
    sweep = threading.Timer(_SWEEP_AFTER, _sweep, (home.config_dir,))
    sweep.daemon = True
    sweep.start()
    app.run()
    sweep.cancel()
    return app.return_code or Exit.OK


def _sweep(config_dir: Path) -> None:
    """Remove what a killed peerdeck left beside the settings."""
    from tui.effects.settings_file import sweep_stale  # noqa: PLC0415 - as it is not needed for the first painting

    sweep_stale(config_dir)


def _build(program: str, home: ClaudeHome) -> PeerdeckApp:
    # It brings Textual, which no other verb needs.
    from tui.app import PeerdeckApp  # noqa: PLC0415
    from tui.effects.lifeline import TerminalLifeline  # noqa: PLC0415
    from tui.effects.watcher import RegistryWatcher  # noqa: PLC0415

    courier = DeferredCourier(program, home)
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
