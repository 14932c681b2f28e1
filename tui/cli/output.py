"""What goes to stdout."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from tui.cli.exits import CommandError, Exit
from tui.cli.streams import abandon
from tui.domain.text import cell_width

if TYPE_CHECKING:
    from collections.abc import Sequence


def print_json(value: Any) -> None:
    """Print one line of JSON in ASCII, so that nothing from a registry reaches the terminal raw."""
    print_line(json.dumps(value))


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns; the cells are safe to show already."""
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = (cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    print_line("\n".join(lines))


def print_line(line: str) -> None:
    """Print what is safe to show already, at once.

    Raises:
        BrokenPipeError: the reader went away, as `head` does.
        CommandError: the system refused, as a full disk does.
    """
    try:
        print(line, flush=True)
    except BrokenPipeError:
        abandon(sys.stdout)
        raise
    except OSError as error:
        abandon(sys.stdout)
        message = f"the output cannot be written: {error.strerror}"
        raise CommandError(Exit.REFUSED, message, "Look at where it goes.") from error
