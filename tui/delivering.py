"""The part of the application that sends couriers and keeps what becomes of their letters."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from textual.app import App
from textual.reactive import reactive
from textual.worker import Worker, WorkerState

from tui.domain.delivery import Cause, Delivery, Outcome
from tui.domain.dispatch import Dispatch, Dispatches, dispatch_badge
from tui.domain.drafts import PeerProcess, process_of
from tui.domain.rows import Tone, shown_name
from tui.domain.text import one_line
from tui.messages import Cancelled, DeliveryEnded, OutcomeSeen, StageReached, Submitted

if TYPE_CHECKING:
    from tui.domain.courier_stream import Stage
    from tui.domain.peers import Peer
    from tui.domain.ports import Clock, Courier, RosterSource

_log = logging.getLogger(__name__)

_SENTENCE: Final = 400


class DeliveringApp(App[None], inherit_bindings=False):
    """Owns the couriers' workers: a screen that is closed ends none, and the end of the app ends all."""

    dispatches: reactive[Dispatches] = reactive(Dispatches)
    """The last letter to each process, until its outcome was seen."""

    def __init__(self, *, source: RosterSource, courier: Courier, clock: Clock) -> None:
        super().__init__()
        self._source = source
        self._courier = courier
        self._clock = clock
        self._cancels: dict[PeerProcess, asyncio.Event] = {}
        self._errands: dict[Worker[None], PeerProcess] = {}

    def is_seen(self, process: PeerProcess) -> bool:
        """Whether the user sees what becomes of a letter to this process."""
        raise NotImplementedError

    def on_submitted(self, event: Submitted) -> None:
        """Send a courier, unless one is on its way to that process."""
        process = process_of(event.peer)
        if self.dispatches.is_running(process):
            return
        self.dispatches = self.dispatches.put(process, Dispatch(event.peer, event.text, self._clock()))
        self._cancels[process] = asyncio.Event()
        work = self._deliver(event.peer, event.text, process)
        self._errands[self.run_worker(work, group="delivery", exit_on_error=False)] = process

    def on_cancelled(self, event: Cancelled) -> None:
        """Call a courier back; what became of the letter is said by its end."""
        if self.dispatches.is_running(event.process):
            self.dispatches = self.dispatches.called_back(event.process)
            self._cancels[event.process].set()

    def on_stage_reached(self, event: StageReached) -> None:
        """Show how far a courier is."""
        if self.dispatches.is_running(event.process):
            self.dispatches = self.dispatches.reached(event.process, event.stage)

    def on_delivery_ended(self, event: DeliveryEnded) -> None:
        """Show what became of a letter, wherever its sender is looking now."""
        self._cancels.pop(event.process, None)
        cause = event.delivery.cause
        _log.info("delivery %s %s", event.delivery.outcome.value, cause.value if cause else "")
        self.dispatches = self.dispatches.ended(event.process, event.delivery)
        if not self.is_seen(event.process):
            self._toast(self.dispatches.by_process[event.process], event.delivery)

    def on_outcome_seen(self, event: OutcomeSeen) -> None:
        """Forget an outcome that its reader is done with."""
        self.dispatches = self.dispatches.seen(event.process)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Take in a delivery that broke: whatever it was, the letter may be on its way."""
        if not event.worker.is_finished or (process := self._errands.pop(event.worker, None)) is None:
            return
        if event.state is WorkerState.ERROR:
            error = f"{type(event.worker.error).__name__}: {event.worker.error}"
            message = f"The delivery broke: {error}. It may have been sent."
            self.post_message(DeliveryEnded(process, Delivery(Outcome.UNKNOWN, message, Cause.UNCONFIRMED)))

    async def _deliver(self, peer: Peer, text: str, process: PeerProcess) -> None:
        # What only a letter needs is imported with the first one, so that the table is there sooner.
        from tui.domain.messaging import Letter, message_peer  # noqa: PLC0415

        letter = Letter(peer.record.session_id, text, peer)

        def report(stage: Stage) -> None:
            self.post_message(StageReached(process, stage))

        delivery = await message_peer(
            letter, source=self._source, courier=self._courier, on_stage=report, cancel=self._cancels[process]
        )
        self.post_message(DeliveryEnded(process, delivery))

    def _toast(self, dispatch: Dispatch, delivery: Delivery) -> None:
        badge = dispatch_badge(dispatch)
        self.notify(
            one_line(f"{delivery.message} {delivery.hint}", _SENTENCE),
            title=f"{badge.glyph} {badge.word.upper()} {shown_name(dispatch.peer)}",
            severity="information" if badge.tone is Tone.CALM else "warning",
            markup=False,
        )
