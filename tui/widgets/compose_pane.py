"""Where a message is written: to whom, the text, and what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.reactive import reactive
from textual.widgets import Button, TextArea

from tui.domain.addressing import cannot_be_written_to
from tui.domain.delivery import Cause, Outcome
from tui.domain.dispatch import Dispatch, Dispatches
from tui.domain.drafts import PeerProcess, letter_text, process_of
from tui.messages import Cancelled, Submitted
from tui.widgets.compose_editor import ComposeEditor
from tui.widgets.compose_notes import AGAIN, Note, dispatch_note, homeless_note, peer_note
from tui.widgets.note_line import NoteLine
from tui.widgets.target_line import TargetLine

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer

    from tui.domain.delivery import Delivery
    from tui.domain.peers import Peer
    from tui.domain.ports import Clock
    from tui.domain.roster import Roster

_CHOOSING: Final = "Press enter to write to this peer."
_WRITING: Final = "Write, then ctrl+s sends it and escape goes back."
_TICK: Final = 1.0
"""Seconds between two counts of how long a courier is on its way."""


class ComposePane(Vertical):
    """Shows the peer under the table's cursor; from the moment that its user writes, the peer written to.

    A text belongs to its peer's process. It is kept until it is sent, whatever else becomes of it.
    """

    peer: reactive[Peer | None] = reactive(None)
    """The peer under the table's cursor."""
    fixed: reactive[Peer | None] = reactive(None)
    """The peer being written to, as it was shown last; the table's cursor does not change it."""
    roster: reactive[Roster | None] = reactive(None)
    dispatches: reactive[Dispatches] = reactive(Dispatches)

    target = query_one(TargetLine)
    editor = query_one(ComposeEditor)
    note = query_one(NoteLine)
    button = query_one("#send", Button)

    def __init__(self, *, clock: Clock, home: str) -> None:
        super().__init__()
        self._clock = clock
        self._home = home
        self._living: frozenset[PeerProcess] = frozenset()
        """The processes of the roster."""
        self._ticks: Timer | None = None
        self._asked = False
        """The user was asked whether to send a text again that may be with the peer already."""

    def compose(self) -> ComposeResult:
        """Build the pane."""
        with Horizontal(id="address"):
            yield TargetLine(home=self._home)
            yield Button("Send ctrl+s", id="send", action="screen.send", compact=True)
        yield ComposeEditor(id="editor")
        yield NoteLine(id="note")

    def on_mount(self) -> None:
        """Count the seconds of a courier that is on its way."""
        self.button.can_focus = False
        self.button.active_effect_duration = 0  # a click on what it says a moment later counts
        self._ticks = self.set_interval(_TICK, self._show_note, pause=True)
        self._show()

    @property
    def shown(self) -> Peer | None:
        """The peer that the pane is about."""
        return self.fixed or self.peer

    @property
    def dispatch(self) -> Dispatch | None:
        """The letter to the shown peer that is on its way or was the last."""
        return self.dispatches.get(process_of(self.shown)) if self.shown else None

    @property
    def is_sending(self) -> bool:
        """Whether a courier is on its way to the shown peer."""
        return self.dispatch is not None and self.dispatch.is_running

    @property
    def _homes(self) -> frozenset[PeerProcess]:
        """The processes whose text stays with them: those that live, and those to which it is on its way."""
        return self._living | {key for key in self.dispatches.by_process if self.dispatches.is_running(key)}

    def shows(self, process: PeerProcess) -> bool:
        """Whether the pane is about this process."""
        return self.shown is not None and process_of(self.shown) == process

    def begin(self, peer: Peer) -> bool:
        """Fix `peer` as the one to write to and go to the editor; False where it cannot be written to.

        The focus is there when this returns, so that what is typed next is typed there.
        """
        if cannot_be_written_to(peer) and not self.editor.has_draft(peer):
            return False
        self.editor.take_along(peer, self._homes)
        self.fixed = peer
        self._show()
        self.screen.set_focus(self.editor)
        return True

    def release(self) -> None:
        """Follow the table's cursor again."""
        self.fixed = None

    def send(self) -> None:
        """Send the text to the peer as it is shown."""
        peer, text = self.shown, letter_text(self.editor.text)
        is_pointless = not text.strip() and self.dispatch is not None  # what became of the last letter stays to be read
        if peer is None or self.is_sending or is_pointless:
            self.app.bell()
            return
        if not self._asked and self.dispatch and self.dispatch.may_have_brought(text):
            self._asked = True
            self._show_note()
            return
        self._asked = False
        self.editor.keep()
        self.editor.read_only = True  # what is typed before the courier starts would not be sent with it
        self.app.post_message(Submitted(peer, text))

    def cancel(self) -> None:
        """Call the courier to the shown peer back."""
        if self.shown:
            self.app.post_message(Cancelled(process_of(self.shown)))

    def watch_peer(self) -> None:
        """Show the peer under the cursor, unless another one is being written to."""
        self._asked = False
        self._show()

    def watch_fixed(self) -> None:
        """Show the peer being written to."""
        self._show()

    def watch_roster(self) -> None:
        """Keep up with the peer being written to for as long as it is the same session under the same name."""
        self._living = frozenset(map(process_of, self.roster.peers)) if self.roster else frozenset()
        now = self.roster.find(self.fixed.pid) if self.roster and self.fixed else None
        if now and self.fixed and _is_same(now, self.fixed):
            self.fixed = now
        self._show()

    def watch_dispatches(self, before: Dispatches, dispatches: Dispatches) -> None:
        """Take in what became of letters: a text that was sent is no draft any more."""
        for process in dispatches.changed(before):
            dispatch = dispatches.get(process)
            if dispatch and dispatch.delivery:
                self._take_in(process, dispatch, dispatch.delivery)
        self._show()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Keep what was written."""
        event.stop()
        self._asked = False
        self.editor.keep()
        self._show_note()
        self._mark()

    def _take_in(self, process: PeerProcess, dispatch: Dispatch, delivery: Delivery) -> None:
        if delivery.outcome is Outcome.SENT:
            self.editor.forget(dispatch.peer, dispatch.text)
        changed = delivery.cause is Cause.CHANGED and delivery.target
        if changed and self.fixed and process_of(self.fixed) == process == process_of(changed):
            self.fixed = changed

    def _show(self) -> None:
        if not self.children:  # a reactive is set before the pane is composed
            return
        self.editor.turn_to(self.shown)
        peer, running = self.shown, self.is_sending
        blocked = peer is None or (cannot_be_written_to(peer) is not None and not self.editor.text)
        self.editor.read_only = running or blocked
        self.editor.show_cursor = not self.editor.read_only
        self.editor.placeholder = Content("" if blocked else _WRITING if self.fixed else _CHOOSING)
        self.target.peer = peer
        self.target.is_gone = self.fixed is not None and process_of(self.fixed) not in self._living
        self.button.label = "Cancel ctrl+x" if running else "Send ctrl+s"
        self.button.action = "screen.cancel" if running else "screen.send"
        self.button.disabled = blocked
        self._tick(running)
        self._show_note()
        self._mark()

    def _mark(self) -> None:
        """Note what there is to do; the footer is built anew, so only when that changes."""
        before = self.has_class("-sending"), self.has_class("-written")
        now = self.is_sending, bool(self.editor.text)
        if now != before:
            self.set_class(now[0], "-sending").set_class(now[1], "-written")
            self.refresh_bindings()

    def _tick(self, running: bool) -> None:
        if self._ticks and running:
            self._ticks.resume()
        elif self._ticks:
            self._ticks.pause()

    def _show_note(self) -> None:
        self.note.show(self._note())

    def _note(self) -> Note | None:
        if self.dispatch:
            return AGAIN if self._asked else dispatch_note(self.dispatch, self._clock())
        draft = self.editor.homeless(self._homes)
        return self._peer_note() or (homeless_note(draft) if draft else None)

    def _peer_note(self) -> Note | None:
        peer, roster = self.shown, self.roster
        if peer is None or roster is None:
            return None
        if self.fixed is None and roster.find(peer.pid) is not peer:
            return None  # the table has not said yet which peer came under its cursor instead
        return peer_note(peer, roster, has_text=bool(self.editor.text))


def _is_same(now: Peer, before: Peer) -> bool:
    return (
        process_of(now) == process_of(before)
        and now.record.session_id == before.record.session_id
        and now.name == before.name
    )
