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
from tui.effects.settings_file import SettingsFile

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> int:
    """Show the user-level policy, after setting it where one is named."""
    settings = SettingsFile(find_claude_home(options.config_dir, os.environ).config_dir)
    try:
        seen = settings.read() if options.policy is None else _set(settings, options)
    except SettingsError as error:
        was_refused = error.trouble in {SettingsTrouble.INVALID, SettingsTrouble.CHANGED_DURING_WRITE}
        code = Exit.REFUSED if options.policy and was_refused else Exit.UNREADABLE
        raise CommandError(code, error.message, error.hint) from error
    if options.json:
        print_json(_facts(seen))
    else:
        _print(seen)
    return Exit.OK


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
