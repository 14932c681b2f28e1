"""`peerdeck doctor`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from tui import __version__
from tui.cli.exits import Exit
from tui.cli.output import print_json, print_table
from tui.domain.text import one_line
from tui.effects.claude_home import find_claude_home
from tui.effects.examination import examine

if TYPE_CHECKING:
    import argparse

_CELLS: Final = 300


def run(options: argparse.Namespace) -> int:
    """Print what was found, a line each: ok, or what to do."""
    home = find_claude_home(options.config_dir, os.environ)
    findings = list(examine(home, options.claude, os.environ, __version__))
    if options.json:
        print_json([finding.facts() for finding in findings])
    else:
        rows = []
        for finding in findings:
            rows.append(("ok" if finding.is_ok else "!!", finding.subject, one_line(finding.message, _CELLS)))
            if finding.hint:
                rows.append(("", "", f"→ {finding.hint}"))
        print_table(rows)
    return Exit.OK if all(finding.is_ok for finding in findings) else Exit.REFUSED
