"""What keeps the table from being the whole truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from tui.domain.records import FaultReason
from tui.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tui.domain.records import RegistryFault
    from tui.domain.roster import Roster

_CELLS: Final = 300
_NAMED: Final = 3
"""So many files are named, the others counted."""


class TroubleLine(Static):
    """Names the trouble, and takes no room when there is none."""

    roster: reactive[Roster | None] = reactive(None)
    trouble: reactive[str] = reactive("")
    """Why no roster comes."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    def watch_roster(self) -> None:
        """Show what is wrong now."""
        self._show()

    def watch_trouble(self) -> None:
        """Show what is wrong now."""
        self._show()

    def _show(self) -> None:
        words = list(self._words())
        self.display = bool(words)
        self.update(Content("\n".join(f"! {each}" for each in words)))

    def _words(self) -> Iterator[str]:
        if self.trouble:
            yield one_line(self.trouble, _CELLS)
        if not self.roster:
            return
        for words in (self.roster.watch_trouble, self.roster.exposure):
            if words:
                yield one_line(words, _CELLS)
        # Files of other names never were records: `list --all` has them.
        if faults := [fault for fault in self.roster.faults if fault.reason is not FaultReason.NAME]:
            yield _faults(faults)


def _faults(faults: Sequence[RegistryFault]) -> str:
    count = f"{len(faults)} unreadable record{'s' if len(faults) > 1 else ''}"
    named = ", ".join(one_line(f"{fault.file} ({fault.message})", _CELLS) for fault in faults[:_NAMED])
    return f"{count}: {named}{', …' if len(faults) > _NAMED else ''}"
