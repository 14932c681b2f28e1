"""What goes to stdout."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from tui.domain.text import cell_width

if TYPE_CHECKING:
    from collections.abc import Sequence


def print_json(value: Any) -> None:
    """Print one line of JSON in ASCII, so that nothing from a registry reaches the terminal raw."""
    print(json.dumps(value), flush=True)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns; the cells are safe to show already."""
    # A terminal that cannot show a glyph shows a question mark; it is no reason to fail.
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
