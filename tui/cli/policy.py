"""`peerdeck policy`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tui.cli import tell
from tui.cli.exits import CommandError, Exit
from tui.cli.output import print_json, print_table
from tui.domain.inbound import CAVEAT, MEANINGS, SETTING, InboundPolicy, InboundSettings, SettingsError, SettingsTrouble
from tui.domain.text import visible
from tui.effects.claude_home import find_claude_home
from tui.effects.settings_file import SettingsFile, sweep_stale

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> int:
    """Show the user-level policy, after setting it where one is named."""
    config_dir = find_claude_home(options.config_dir, os.environ).config_dir
    sweep_stale(config_dir)
    settings = SettingsFile(config_dir)
    try:
        seen = settings.read() if options.policy is None else _set(settings, options)
    except SettingsError as error:
        raise CommandError(_exit_code(error, settings, options), error.message, error.hint) from error
    if options.json:
        print_json(_facts(seen))
    else:
        _print(seen)
    return Exit.OK


def _exit_code(error: SettingsError, settings: SettingsFile, options: argparse.Namespace) -> Exit:
    if options.policy is None or error.trouble is SettingsTrouble.JSON:
        return Exit.UNREADABLE
    if error.trouble is not SettingsTrouble.IO:
        return Exit.REFUSED
    try:
        settings.read()
    except SettingsError:
        return Exit.UNREADABLE
    return Exit.REFUSED  # it can be read, so it was the writing that failed


def _set(settings: SettingsFile, options: argparse.Namespace) -> InboundSettings:
    policy = None if options.policy == "default" else InboundPolicy(options.policy)
    return settings.update(policy, options.revision)


def _facts(seen: InboundSettings) -> dict[str, object]:
    return {
        "path": str(seen.path),
        "revision": seen.revision,
        SETTING: seen.policy.value if seen.policy else None,
        "userAllowsAutomaticDelivery": seen.user_allows_automatic_delivery,
        "caveat": CAVEAT,
    }


def _print(seen: InboundSettings) -> None:
    word = seen.policy.value if seen.policy else "not set"
    rows = [
        (SETTING, f"{word}: {MEANINGS[seen.policy]}"),
        ("file", visible(str(seen.path))),
        ("revision", seen.revision),
    ]
    print_table(rows)
    tell(CAVEAT)
