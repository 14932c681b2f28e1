"""The application: the only place where the user interface meets the world, through the seams it is given."""

from __future__ import annotations

import asyncio
import logging
import traceback
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import SystemCommand
from textual.reactive import reactive
from textual.worker import Worker, WorkerState

from tui.actions import APP, PALETTE_IDS, bindings
from tui.delivering import DeliveringApp
from tui.domain.ports import HUNG_UP_EXIT
from tui.domain.text import one_line
from tui.messages import PolicyChosen, PolicyNotWritten, PolicyWritten, RosterChanged, SettingsRead
from tui.policy_file import PolicyFile
from tui.screens.dashboard import DashboardScreen
from tui.screens.settings import SettingsScreen
from tui.widgets.compose_editor import ComposeEditor
from tui.widgets.last_words import last_words
from tui.widgets.policy_list import policy_word

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.text import Text
    from textual.binding import BindingType
    from textual.events import Key
    from textual.screen import Screen

    from tui.domain.drafts import PeerProcess
    from tui.domain.inbound import InboundPolicy
    from tui.domain.ports import Clock, Courier, Lifeline, RosterSource, SettingsStore
    from tui.domain.roster import Roster

_SENTENCE: Final = 400

_log = logging.getLogger(__name__)


class PeerdeckApp(DeliveringApp, inherit_bindings=False):
    """Owns the workers and the state; screens and widgets get it bound down and send messages up."""

    TITLE = "peerdeck"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(APP)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (64, "-middle"), (112, "-wide")]  # noqa: RUF012 - Textual's declaration
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (13, "-short"), (22, "-medium"), (34, "-tall")]  # noqa: RUF012
    RETRY_SECONDS: ClassVar[float] = 2.0
    """The pause before the registry is watched again after the watch broke."""

    roster: reactive[Roster | None] = reactive(None)
    """Without couriers; None before the registry was read."""
    trouble: reactive[str] = reactive("")
    """Why no roster comes; untrusted text."""

    def __init__(
        self,
        *,
        source: RosterSource,
        courier: Courier,
        settings: SettingsStore,
        clock: Clock,
        lifeline: Lifeline,
        home: str,
        registry: Path,
        version: str,
        roster: Roster | None = None,
    ) -> None:
        """Begin with `roster`, so that the first thing painted has rows; it is watched from then on."""
        super().__init__(source=source, courier=courier, clock=clock)
        if roster:
            self.set_reactive(PeerdeckApp.roster, roster.without_couriers())
        self._lifeline = lifeline
        self._version = version
        self._policy_file = PolicyFile(settings)
        self._home = home
        self._registry_path = registry

    def get_default_screen(self) -> DashboardScreen:
        """Begin with the dashboard."""
        screen = DashboardScreen(
            clock=self._clock, home=self._home, registry=self._registry_path, version=self._version
        )
        return screen.data_bind(PeerdeckApp.roster, PeerdeckApp.dispatches, PeerdeckApp.trouble)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer in the palette what the keys offer where it was opened."""
        seen = set()
        for node, binding, enabled, tooltip in screen.active_bindings.values():
            if enabled and binding.id in PALETTE_IDS and binding.action not in seen:
                seen.add(binding.action)
                yield SystemCommand(binding.description, tooltip, partial(self.run_action, binding.action, node))

    def validate_theme(self, theme: str) -> str:
        """Without colours a native ANSI theme would be black on black: take the plain one of its kind."""
        chosen = self.get_theme(theme)
        if self.no_color and chosen and chosen.ansi and not self.native_ansi_color:
            return "textual-dark" if chosen.dark else "textual-light"
        return theme

    def is_seen(self, process: PeerProcess) -> bool:
        """Whether the dashboard is on top and shows this process."""
        return isinstance(self.screen, DashboardScreen) and self.screen.shows(process)

    def on_mount(self) -> None:
        """Begin to watch the registry, and what ends the program from outside."""
        self.call_after_refresh(self._watch_registry)
        self._lifeline.watch(self._end)

    async def on_unmount(self) -> None:
        """Wait until every courier is ended; the terminal is restored already."""
        for worker in self.workers:
            if not worker.is_cancelled:
                worker.cancel()
        await asyncio.gather(*(worker.wait() for worker in self.workers), return_exceptions=True)
        self._lifeline.close()

    def on_key(self, event: Key) -> None:
        """Give the editor what was typed before the focus reached it: Textual gives it to where the focus was."""
        editor = self.focused
        if isinstance(editor, ComposeEditor) and event.is_printable and not editor.read_only:
            event.stop().prevent_default()
            editor.post_message(event.copy())

    def on_roster_changed(self, event: RosterChanged) -> None:
        """Show what the registry holds now."""
        self.trouble = ""
        self.roster = event.roster.without_couriers()

    def on_settings_wanted(self) -> None:
        """Read the settings file for the screen that shows it."""
        self.run_worker(self._read_settings(), group="settings", exit_on_error=False)

    def on_policy_chosen(self, event: PolicyChosen) -> None:
        """Write the policy, if the file still is what was shown."""
        self.run_worker(self._write_policy(event.policy, event.revision), group="settings", exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show the error of a worker that broke; everything else goes on."""
        worker = event.worker
        error = f"{type(worker.error).__name__}: {worker.error}" if worker.error else "it ended"
        if worker.group == "roster" and event.state in {WorkerState.ERROR, WorkerState.SUCCESS}:
            # An exception's own text may hold a name: only what kind it is, and where it was raised.
            frames = "".join(traceback.format_tb(worker.error.__traceback__)) if worker.error else ""
            _log.error("the registry is not watched: %s\n%s", type(worker.error).__name__, frames)
            self.trouble = f"the registry is not watched: {error}"
            self.set_timer(self.RETRY_SECONDS, self._watch_registry)
        elif worker.group == "settings" and event.state is WorkerState.ERROR:
            self.notify(one_line(error, _SENTENCE), severity="error", markup=False)

    async def action_quit(self) -> None:
        """End at once; a courier on its way is ended too, and what it carried is named."""
        self.exit(message=self._last_words())

    def action_help_quit(self) -> None:
        """Say which key quits, wherever the focus is."""
        self.notify("ctrl+q quits.", title="Quit?")

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
        async with aclosing(self._source.watch()) as rosters:
            async for roster in rosters:
                self.post_message(RosterChanged(roster))

    async def _read_settings(self) -> None:
        self._tell_settings_screen(SettingsRead(await self._policy_file.read()))

    async def _write_policy(self, policy: InboundPolicy | None, revision: str | None) -> None:
        self._tell_settings_screen(await self._policy_file.write(policy, revision))

    def _tell_settings_screen(self, message: SettingsRead | PolicyWritten | PolicyNotWritten) -> None:
        screens = [screen for screen in self.screen_stack if isinstance(screen, SettingsScreen)]
        for screen in screens:
            screen.post_message(message)
        if not screens and isinstance(message, PolicyNotWritten):
            words = f"{policy_word(message.policy)} is not confirmed: {message.error.message}. {message.error.hint}"
            self.notify(one_line(words, _SENTENCE), severity="error", markup=False)

    def _end(self, exit_code: int) -> None:
        # After SIGHUP there may be nowhere to write to.
        self.exit(return_code=exit_code, message=None if exit_code == HUNG_UP_EXIT else self._last_words())

    def _last_words(self) -> Text | None:
        dashboards = [screen for screen in self.screen_stack if isinstance(screen, DashboardScreen)]
        return last_words(self.dispatches, [draft for each in dashboards for draft in each.pane.editor.drafts])
