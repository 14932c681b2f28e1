"""The table of peers: what needs its user stands first, and only what changed is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.style import Style
from textual.message import Message
from textual.reactive import reactive

from tui.actions import TABLE, bindings
from tui.domain.addressing import shared_names
from tui.domain.dispatch import Dispatches, dispatch_badge
from tui.domain.drafts import PeerProcess, process_of
from tui.domain.peers import Peer, PeerStatus
from tui.domain.roster import PeerAdded, PeerChanged, PeerRemoved, Roster, changes
from tui.domain.rows import Tone, age_changes_in, attention_order
from tui.widgets.age_dues import AgeDues
from tui.widgets.keyed_table import KeyedTable, Row
from tui.widgets.peer_cells import CellStyle, Marks, row_of_cells
from tui.widgets.peer_columns import columns_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.binding import BindingType
    from textual.events import Resize
    from textual.theme import Theme
    from textual.timer import Timer

    from tui.domain.ports import Clock
    from tui.widgets.peer_columns import Column

_SOONEST: Final = 0.05
"""Seconds; a clock that stands still must not make the timer spin."""
_LATEST: Final = 60.0
"""Seconds; so long at most is the age wrong after the clock was set."""


class PeerTable(KeyedTable, inherit_bindings=False):
    """Shows the peers of a roster, sorted by how much they need their user."""

    HELP: ClassVar[str] = """\
        ## Peers

        The Claude Code sessions that run now. What waits for you comes first; **Age** is how long the status has
        been what it is.

        Press **enter** to write to the peer under the cursor. `×2` marks a name that two peers share: neither can
        be written to until one is renamed. `✎` marks a text that is not sent.
        """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(TABLE)]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"peer-table--plain", *(f"peer-table--{tone}" for tone in Tone)}

    roster: reactive[Roster | None] = reactive(None)
    drafted: reactive[frozenset[PeerProcess]] = reactive(frozenset())
    """The processes for which a text is kept."""
    dispatches: reactive[Dispatches] = reactive(Dispatches)

    class Highlighted(Message):
        """Another peer is under the cursor, or the one there changed; None in an empty table."""

        def __init__(self, peer: Peer | None) -> None:
            super().__init__()
            self.peer = peer

    class Chosen(Message):
        """The user wants to write to this peer, as it was shown when the key was pressed."""

        def __init__(self, peer: Peer) -> None:
            super().__init__()
            self.peer = peer

    def __init__(self, *, clock: Clock, home: str) -> None:
        super().__init__()
        self.add_class("-empty")
        self._clock = clock
        self._home = home
        self._applied: Roster | None = None
        """The roster that the rows are in step with."""
        self._peers: dict[str, Peer] = {}
        self._namesakes: dict[int, int] = {}
        self._style = CellStyle((), {}, self.rich_style, home)
        self._dues = AgeDues()
        self._timer: Timer | None = None
        self._announced: Peer | None = None

    @property
    def highlighted(self) -> Peer | None:
        """The peer under the cursor."""
        return self._peers.get(self.cursor_key or "")

    def on_mount(self) -> None:
        """Follow the theme: a cell holds its colours."""
        self.app.theme_changed_signal.subscribe(self, self._restyle)

    def on_resize(self, _event: Resize) -> None:
        """Fill the new width."""
        columns = columns_for(self.scrollable_content_region.width)
        if columns == self._style.columns:
            return
        same_columns = [column.key for column in columns] == [column.key for column in self._style.columns]
        self._style = self._make_style(columns)
        if same_columns:
            self.resize_columns(columns)
            self.change((), self._rows(self._peers), None)
        else:
            self.lay_out(columns, self._rows(self._ordered()))
        self._wait_for_next_age()
        self._announce()

    def watch_roster(self, roster: Roster | None) -> None:
        """Bring the rows in step with the roster."""
        if roster is None:
            return
        self.set_class(not roster.peers, "-empty")
        differences = list(changes(self._applied, roster))
        self._applied = roster
        namesakes = shared_names(roster)
        self._peers = {str(peer.pid): peer for peer in roster.peers}
        remarked = {str(pid) for pid, _ in namesakes.items() ^ self._namesakes.items()}
        self._namesakes = namesakes
        if self._style.columns:
            self._apply(differences, remarked)

    def watch_drafted(self, before: frozenset[PeerProcess], drafted: frozenset[PeerProcess]) -> None:
        """Mark the peers for which a text is kept."""
        self._remark(before ^ drafted)

    def watch_dispatches(self, before: Dispatches, dispatches: Dispatches) -> None:
        """Mark the peers to which a letter is on its way or was."""
        self._remark(dispatches.changed(before))

    def on_data_table_row_highlighted(self, event: KeyedTable.RowHighlighted) -> None:
        """Say which peer the user moved to."""
        event.stop()
        self._announce()

    def on_data_table_row_selected(self, event: KeyedTable.RowSelected) -> None:
        """Say which peer the user chose, by its key and not by its place."""
        event.stop()
        if peer := self._peers.get(event.row_key.value or ""):
            self.post_message(self.Chosen(peer))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer nothing to do with peers while there are none."""
        return bool(self._peers) if action == "next_waiting" else super().check_action(action, parameters)

    def action_next_waiting(self) -> None:
        """Go to the next peer below that waits for its user, from the top again after the last."""
        keys = self.keys
        here = self.cursor_row + 1
        for key in (*keys[here:], *keys[:here]):
            if self._peers[key].status is PeerStatus.WAITING:
                self.move_cursor(row=self.get_row_index(key))
                return
        self.app.bell()

    def pause_ages(self) -> None:
        """Leave the ages as they are while nobody sees them."""
        if self._timer:
            self._timer.stop()
            self._timer = None

    def tick_ages(self) -> None:
        """Show the ages that say something else by now, and wait for the next one."""
        due = [key for key in self._dues.take(self._clock()) if key in self._peers]
        if due:
            self.change((), self._rows(due), None)
        self._wait_for_next_age()

    def _apply(self, differences: list[PeerAdded | PeerRemoved | PeerChanged], remarked: set[str]) -> None:
        gone = [str(each.peer.pid) for each in differences if isinstance(each, PeerRemoved)]
        other = [each for each in differences if not isinstance(each, PeerRemoved)]
        order = self._ordered() if any(map(_moves, other)) else None
        touched = {str(each.peer.pid) for each in other} | (remarked & self._peers.keys())
        if gone or touched:
            self.change(gone, self._rows(touched), order)
            self._wait_for_next_age()
        for key in gone:
            self._dues.set(key, None)
        self._announce()

    def _remark(self, processes: Iterable[PeerProcess]) -> None:
        keys = [str(process.pid) for process in processes if str(process.pid) in self._peers]
        if keys and self._style.columns:
            self.change((), self._rows(keys), None)

    def _rows(self, keys: Iterable[str]) -> dict[str, Row]:
        """Build rows, and note when their ages will say something else."""
        now = self._clock()
        rows = {}
        for key in keys:
            peer = self._peers[key]
            rows[key] = row_of_cells(peer, self._marks(peer), now, self._style)
            changes_in = age_changes_in(peer.record.status_updated_at, now)
            self._dues.set(key, None if changes_in is None else now + changes_in)
        return rows

    def _marks(self, peer: Peer) -> Marks:
        process = process_of(peer)
        dispatch = self.dispatches.get(process)
        return Marks(
            self._namesakes.get(peer.pid, 0), process in self.drafted, dispatch_badge(dispatch) if dispatch else None
        )

    def _ordered(self) -> list[str]:
        return [str(peer.pid) for peer in sorted(self._peers.values(), key=attention_order)]

    def _make_style(self, columns: Sequence[Column]) -> CellStyle:
        tones = {tone: self._component(str(tone)) for tone in Tone}
        return CellStyle(columns, tones, self._component("plain"), self._home)

    def _component(self, name: str) -> Style:
        """Return a style without its background, which is the row's to say."""
        style = self.get_component_rich_style(f"peer-table--{name}")
        return Style(color=style.color, bold=style.bold, italic=style.italic)

    def _announce(self) -> None:
        if self.highlighted is not self._announced:
            if self._announced is None or self.highlighted is None:
                self.refresh_bindings()
            self._announced = self.highlighted
            self.post_message(self.Highlighted(self._announced))

    def _wait_for_next_age(self) -> None:
        self.pause_ages()
        due = self._dues.next()
        if due is not None and self.screen.is_active:
            seconds = (due - self._clock()) / 1000
            self._timer = self.set_timer(min(max(seconds, _SOONEST), _LATEST), self.tick_ages)

    def _restyle(self, _theme: Theme) -> None:
        self._style = self._make_style(self._style.columns)
        self.change((), self._rows(self._peers), None)


def _moves(difference: PeerAdded | PeerChanged | PeerRemoved) -> bool:
    """Whether the order of the rows may be another now; a removal leaves it as it is."""
    if isinstance(difference, PeerChanged):
        return attention_order(difference.before) != attention_order(difference.peer)
    return isinstance(difference, PeerAdded)
