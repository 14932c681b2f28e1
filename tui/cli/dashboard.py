"""`peerdeck`: the dashboard."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from tui import __version__
from tui.cli.exits import CommandError, Exit
from tui.effects.claude_home import find_claude_home
from tui.effects.courier import ClaudeCourier
from tui.effects.settings_file import SettingsFile, sweep_stale
from tui.effects.watcher import RegistryWatcher

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> int:
    """Open the dashboard and return when it is closed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError(Exit.USAGE, "the dashboard needs a terminal", "Use `peerdeck list` or `peerdeck watch`.")
    from tui.app import PeerdeckApp  # noqa: PLC0415 - it brings Textual, which no other verb needs

    home = find_claude_home(options.config_dir, os.environ)
    sweep_stale(home.config_dir)
    courier = ClaudeCourier(options.claude, os.environ, home.config_dir, config_dir_is_default=home.is_default)
    app = PeerdeckApp(
        source=RegistryWatcher(home, lambda: courier.pids),
        courier=courier,
        settings=SettingsFile(home.config_dir),
        clock=lambda: time.time_ns() // 1_000_000,
        home=os.path.expanduser("~"),  # noqa: PTH111 - Path.expanduser raises without a home
        registry=home.registry,
        version=__version__,
    )
    app.run()
    return app.return_code or Exit.OK
