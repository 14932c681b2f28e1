"""`python -m tests.bench [NAME …]`: prints one JSON object a line; each benchmark takes less than a minute."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from tests.bench.latency import write_to_line, write_to_line_1000
from tests.bench.listing import list_vs_agents
from tests.bench.scanning import scan_1000
from tests.bench.screen import (
    idle_and_memory,
    idle_and_memory_1000,
    soak,
    soak_1000,
    start_vs_bare_textual,
    ticking_ages,
    write_to_cell,
)

if TYPE_CHECKING:
    from collections.abc import Callable

BENCHMARKS: Final[tuple[Callable[[], None], ...]] = (
    list_vs_agents,
    scan_1000,
    write_to_line,
    write_to_line_1000,
    write_to_cell,
    start_vs_bare_textual,
    idle_and_memory,
    idle_and_memory_1000,
    ticking_ages,
    soak,
    soak_1000,
)


def main(wanted: list[str]) -> int:
    """Run the named benchmarks, or all."""
    known = {benchmark.__name__: benchmark for benchmark in BENCHMARKS}
    if unknown := set(wanted) - set(known):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    for name in wanted or known:
        known[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
