"""The application: the only place where the user interface meets the world, through the seams it is given."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import App, SystemCommand
from textual.reactive import reactive
from textual.worker import Worker, WorkerState

from tui.actions import APP, PALETTE_IDS, bindings
from tui.domain.delivery import NOT_AGAIN, Delivery, Outcome
from tui.domain.dispatch import Dispatch, Dispatches, dispatch_badge
from tui.domain.drafts import PeerProcess, process_of
from tui.domain.messaging import Letter, message_peer
from tui.domain.rows import UNNAMED, Tone
from tui.domain.text import one_line
from tui.lifeline import forget_end_signals, is_hung_up, on_end_signals
from tui.messages import (
    Cancelled,
    DeliveryEnded,
    OutcomeSeen,
    PolicyChosen,
    RosterChanged,
    SettingsRead,
    StageReached,
    Submitted,
)
from tui.policy_file import PolicyFile
from tui.screens.dashboard import DashboardScreen
from tui.screens.settings import SettingsScreen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from textual.binding import BindingType
    from textual.message import Message
    from textual.screen import Screen

    from tui.domain.courier_stream import Stage
    from tui.domain.inbound import InboundPolicy
    from tui.domain.peers import Peer
    from tui.domain.ports import Clock, Courier, RosterSource, SettingsStore
    from tui.domain.roster import Roster

_CHECK_TERMINAL: Final = 1.0
"""Seconds between two looks whether the terminal is still there."""
_SENTENCE: Final = 400
_NAME: Final = 40
_GONE: Final = 129
"""Exit code when the terminal is gone, as after SIGHUP."""


class PeerdeckApp(App[None], inherit_bindings=False):
    """Owns the workers and the state; screens and widgets get it bound down and send messages up."""

    TITLE = "peerdeck"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(APP)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (64, "-middle"), (112, "-wide")]  # noqa: RUF012 - Textual's declaration
    VERTICAL_BREAKPOINTS = [(0, "-short"), (22, "-medium"), (34, "-tall")]  # noqa: RUF012
    RETRY_SECONDS: ClassVar[float] = 2.0
    """The pause before the registry is watched again after the watch broke."""

    roster: reactive[Roster | None] = reactive(None)
    """Without couriers; None before the registry was read."""
    dispatches: reactive[Dispatches] = reactive(Dispatches)
    """The last letter to each process, until its outcome was seen."""
    trouble: reactive[str] = reactive("")
    """Why no roster comes; untrusted text."""

    def __init__(
        self,
        *,
        source: RosterSource,
        courier: Courier,
        settings: SettingsStore,
        clock: Clock,
        home: str,
        registry: Path,
        version: str,
    ) -> None:
        super().__init__()
        self.sub_title = version
        self._source = source
        self._courier = courier
        self._policy_file = PolicyFile(settings)
        self._clock = clock
        self._home = home
        self._registry_path = registry
        self._cancels: dict[PeerProcess, asyncio.Event] = {}
        self._errands: dict[Worker[None], PeerProcess] = {}

    def get_default_screen(self) -> DashboardScreen:
        """Begin with the dashboard."""
        screen = DashboardScreen(clock=self._clock, home=self._home, registry=self._registry_path)
        return screen.data_bind(PeerdeckApp.roster, PeerdeckApp.dispatches, PeerdeckApp.trouble)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer in the palette what the keys offer where it was opened."""
        seen = set()
        for node, binding, enabled, tooltip in screen.active_bindings.values():
            if enabled and binding.id in PALETTE_IDS and binding.id not in seen:
                seen.add(binding.id)
                yield SystemCommand(binding.description, tooltip, partial(self.run_action, binding.action, node))

    def validate_theme(self, theme: str) -> str:
        """Without colours a native ANSI theme would be black on black: take the plain one of its kind."""
        chosen = self.get_theme(theme)
        if self.no_color and chosen and chosen.ansi and not self.native_ansi_color:
            return "textual-dark" if chosen.dark else "textual-light"
        return theme

    def on_mount(self) -> None:
        """Begin to watch the registry, and what ends the program from outside."""
        self._watch_registry()
        if not self.is_headless:
            on_end_signals(asyncio.get_running_loop(), self._end)
            self.set_interval(_CHECK_TERMINAL, self._check_terminal)

    async def on_unmount(self) -> None:
        """Wait until every courier is ended; the terminal is restored already."""
        for worker in self.workers:
            if not worker.is_cancelled:
                worker.cancel()
        await asyncio.gather(*(worker.wait() for worker in self.workers), return_exceptions=True)
        if not self.is_headless:
            forget_end_signals(asyncio.get_running_loop())

    def on_roster_changed(self, event: RosterChanged) -> None:
        """Show what the registry holds now."""
        self.trouble = ""
        self.roster = event.roster.without_couriers()

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
        self.dispatches = self.dispatches.ended(event.process, event.delivery)
        if not (isinstance(self.screen, DashboardScreen) and self.screen.shows(event.process)):
            self._toast(self.dispatches.by_process[event.process], event.delivery)

    def on_outcome_seen(self, event: OutcomeSeen) -> None:
        """Forget an outcome that its reader is done with."""
        self.dispatches = self.dispatches.seen(event.process)

    def on_settings_wanted(self) -> None:
        """Read the settings file for the screen that shows it."""
        self.run_worker(self._read_settings(), group="settings", exit_on_error=False)

    def on_policy_chosen(self, event: PolicyChosen) -> None:
        """Write the policy, if the file still is what was shown."""
        self.run_worker(self._write_policy(event.policy, event.revision), group="settings", exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Take in a worker that broke: its error is shown, and everything else goes on."""
        worker = event.worker
        if event.state in {WorkerState.SUCCESS, WorkerState.CANCELLED}:
            self._errands.pop(worker, None)
        elif event.state is WorkerState.ERROR:
            self._take_in_error(worker, f"{type(worker.error).__name__}: {worker.error}")

    def action_settings(self) -> None:
        """Show the inbound policy."""
        self.push_screen(SettingsScreen(home=self._home))

    def action_toggle_help(self) -> None:
        """Show the help panel, or hide it."""
        if self.screen.query("HelpPanel"):
            self.action_hide_help_panel()
        else:
            self.action_show_help_panel()

    def _watch_registry(self) -> None:
        self.run_worker(self._follow(), group="roster", exit_on_error=False)

    async def _follow(self) -> None:
        async for roster in self._source.watch():
            self.post_message(RosterChanged(roster))

    async def _deliver(self, peer: Peer, text: str, process: PeerProcess) -> None:
        letter = Letter(peer.record.session_id, text, peer)
        delivery = await message_peer(
            letter,
            source=self._source,
            courier=self._courier,
            on_stage=lambda stage: self._report(process, stage),
            cancel=self._cancels[process],
        )
        self.post_message(DeliveryEnded(process, delivery))

    def _report(self, process: PeerProcess, stage: Stage) -> None:
        self.post_message(StageReached(process, stage))

    def _toast(self, dispatch: Dispatch, delivery: Delivery) -> None:
        badge = dispatch_badge(dispatch)
        name = one_line(dispatch.peer.name, _NAME) or UNNAMED
        self.notify(
            one_line(f"{delivery.message} {delivery.hint}", _SENTENCE),
            title=f"{badge.glyph} {badge.word.upper()} {name}",
            severity="information" if badge.tone is Tone.CALM else "warning",
            markup=False,
        )

    async def _read_settings(self) -> None:
        self._tell_settings_screen(SettingsRead(await self._policy_file.read()))

    async def _write_policy(self, policy: InboundPolicy | None, revision: str | None) -> None:
        self._tell_settings_screen(await self._policy_file.write(policy, revision))

    def _tell_settings_screen(self, message: Message) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, SettingsScreen):
                screen.post_message(message)

    def _take_in_error(self, worker: Worker[None], error: str) -> None:
        if worker.group == "roster":
            self.trouble = f"the registry is not watched: {error}"
            self.set_timer(self.RETRY_SECONDS, self._watch_registry)
        elif process := self._errands.pop(worker, None):
            self.post_message(
                DeliveryEnded(process, Delivery(Outcome.UNKNOWN, f"The delivery broke: {error}. {NOT_AGAIN}"))
            )
        else:
            self.notify(one_line(error, _SENTENCE), severity="error", markup=False)

    def _end(self, exit_code: int) -> None:
        self.exit(return_code=exit_code)

    def _check_terminal(self) -> None:
        if sys.__stdin__ is not None and is_hung_up(sys.__stdin__.fileno()):
            self._end(_GONE)
