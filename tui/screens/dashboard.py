"""The dashboard: the peers, and a message to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.getters import query_one
from textual.reactive import reactive
from textual.screen import Screen

from tui.actions import DASHBOARD, bindings
from tui.domain.dispatch import Dispatches
from tui.widgets.compose_editor import ComposeEditor
from tui.widgets.compose_pane import ComposePane
from tui.widgets.empty_state import EmptyState
from tui.widgets.key_line import KeyLine
from tui.widgets.peer_table import PeerTable
from tui.widgets.roster_header import RosterHeader
from tui.widgets.trouble_line import TroubleLine

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.events import DescendantFocus

    from tui.domain.drafts import PeerProcess
    from tui.domain.peers import Peer
    from tui.domain.ports import Clock
    from tui.domain.roster import Roster


class DashboardScreen(Screen[None], inherit_bindings=False):
    """Passes state down to its widgets and the user's wishes between them."""

    AUTO_FOCUS = "PeerTable"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DASHBOARD)]

    roster: reactive[Roster | None] = reactive(None)
    """Without couriers; None before the registry was read."""
    dispatches: reactive[Dispatches] = reactive(Dispatches)
    trouble: reactive[str] = reactive("")
    drafted: reactive[frozenset[PeerProcess]] = reactive(frozenset())

    table = query_one(PeerTable)
    pane = query_one(ComposePane)

    def __init__(self, *, clock: Clock, home: str, registry: Path, version: str) -> None:
        super().__init__()
        self._clock = clock
        self._home = home
        self._registry = registry
        self._version = version

    def compose(self) -> ComposeResult:
        """Build the screen."""
        roster, dispatches = DashboardScreen.roster, DashboardScreen.dispatches
        yield RosterHeader(registry=self._registry, home=self._home, version=self._version).data_bind(roster)
        yield TroubleLine().data_bind(roster, DashboardScreen.trouble)
        yield PeerTable(clock=self._clock, home=self._home).data_bind(roster, dispatches, DashboardScreen.drafted)
        yield EmptyState(registry=self._registry, home=self._home).data_bind(roster)
        yield ComposePane(clock=self._clock, home=self._home).data_bind(roster, dispatches)
        yield KeyLine()

    def shows(self, process: PeerProcess) -> bool:
        """Whether the user sees what becomes of a letter to this process."""
        return self.is_active and self.pane.shows(process)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to send when nothing is on its way, and to cancel when something is."""
        if not self.query(ComposePane):
            return False
        if action == "write":
            return self.table.highlighted is not None
        if action not in {"send", "cancel"}:
            return super().check_action(action, parameters)
        if action == "cancel":
            return self.pane.is_sending
        return not self.pane.is_sending and (bool(self.pane.editor.text) or self.focused is self.pane.editor)

    def action_write(self) -> None:
        """Write to the peer under the cursor."""
        if self.table.highlighted:
            self._write_to(self.table.highlighted)

    def action_back(self) -> None:
        """Go back to the table."""
        self.set_focus(self.table)

    def action_send(self) -> None:
        """Send the text in the pane."""
        self.pane.send()

    def action_cancel(self) -> None:
        """Call the courier of the shown peer back."""
        self.pane.cancel()

    def on_peer_table_highlighted(self, event: PeerTable.Highlighted) -> None:
        """Show in the pane what is under the cursor."""
        self.pane.peer = event.peer

    def on_peer_table_chosen(self, event: PeerTable.Chosen) -> None:
        """Write to the peer that was clicked."""
        self._write_to(event.peer)

    def on_compose_editor_drafted(self, event: ComposeEditor.Drafted) -> None:
        """Mark the peers that have a draft."""
        self.drafted = event.processes

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Let go of the peer written to in the table; fix the peer shown where the editor was reached without it."""
        if isinstance(event.widget, PeerTable):
            self.pane.release()
        elif isinstance(event.widget, ComposeEditor) and self.pane.fixed is None and self.pane.peer:
            self.pane.begin(self.pane.peer)

    def on_screen_suspend(self) -> None:
        """Let the ages rest while another screen is on top."""
        self.table.pause_ages()

    def on_screen_resume(self) -> None:
        """Catch up with the ages."""
        self.table.tick_ages()

    def _write_to(self, peer: Peer) -> None:
        """Write to the peer, or let the pane's note say why not."""
        if not self.pane.begin(peer):
            self.app.bell()
