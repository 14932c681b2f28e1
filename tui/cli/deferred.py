"""What the dashboard needs only once it is on the screen: imported when it is first used."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.domain.courier import CourierPlan
    from tui.domain.courier_stream import Stage
    from tui.domain.inbound import InboundPolicy, InboundSettings
    from tui.domain.ports import CancelSignal
    from tui.domain.verdict import CourierRun, NotStarted
    from tui.effects.claude_home import ClaudeHome
    from tui.effects.courier import ClaudeCourier
    from tui.effects.settings_file import SettingsFile


class DeferredCourier:
    """A `ClaudeCourier` from the first letter on."""

    def __init__(self, program: str, home: ClaudeHome) -> None:
        """Run `program` with the config directory of `home`."""
        self.pids: set[int] = set()
        """The couriers that run now."""
        self._program = program
        self._home = home

    async def run(
        self, plan: CourierPlan, on_stage: Callable[[Stage], None], cancel: CancelSignal
    ) -> CourierRun | NotStarted:
        """Run one courier to its end."""
        return await self._courier().run(plan, on_stage, cancel)

    def draw_nonce(self) -> str:
        """Return a nonce that nobody can foresee."""
        return self._courier().draw_nonce()

    def _courier(self) -> ClaudeCourier:
        from tui.effects.courier import ClaudeCourier  # noqa: PLC0415

        home = self._home
        return ClaudeCourier(
            self._program, os.environ, home.config_dir, config_dir_is_default=home.is_default, pids=self.pids
        )


class DeferredSettings:
    """A `SettingsFile` from the first look on."""

    def __init__(self, home: ClaudeHome) -> None:
        """Use the settings in the config directory of `home`."""
        self._home = home

    def read(self) -> InboundSettings:
        """Read the file as it is now."""
        return self._settings().read()

    def update(self, policy: InboundPolicy | None, expected_revision: str | None = None) -> InboundSettings:
        """Set the policy, or remove it for None."""
        return self._settings().update(policy, expected_revision)

    def _settings(self) -> SettingsFile:
        from tui.effects.settings_file import SettingsFile  # noqa: PLC0415

        return SettingsFile(self._home.config_dir)
