"""What stands where no peers are: why, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from tui.domain.roster import RegistryState, Roster
from tui.domain.rows import directory
from tui.domain.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

_DETAIL: Final = 300


class EmptyState(Static):
    """Says in two sentences why there are no rows, while there are none."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"empty-state--reason"}

    roster: reactive[Roster | None] = reactive(None)

    def __init__(self, *, registry: Path, home: str) -> None:
        super().__init__(markup=False)
        self._registry = directory(str(registry), home)

    def watch_roster(self) -> None:
        """Show the reason of now, for as long as there is one."""
        self.display = not (self.roster and self.roster.peers)
        reason, remedy = self._words()
        self.update(Content.assemble((reason, self.get_visual_style("empty-state--reason")), "\n\n", remedy))

    def _words(self) -> tuple[str, str]:
        where = self._registry
        if self.roster is None:
            return f"Reading {where} …", ""
        match self.roster.state:
            case RegistryState.MISSING:
                return f"{where} does not exist yet", "Start `claude` in another pane: it is shown here at once."
            case RegistryState.UNREADABLE:
                detail = one_line(self.roster.detail, _DETAIL)
                return f"{where} cannot be read: {detail}", "Make it readable for you; it is tried again by itself."
            case RegistryState.READ:
                return f"no live sessions in {where}", "Start `claude` in another pane: it is shown here at once."
