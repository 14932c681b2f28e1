"""The seams to the world. Each is small; the real one is in `tui.effects`, the fake in `tests/fakes.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from tui.domain.courier import CourierPlan
    from tui.domain.courier_stream import Stage
    from tui.domain.inbound import InboundPolicy, InboundSettings
    from tui.domain.roster import Roster
    from tui.domain.verdict import CourierRun, NotStarted


class RosterReader(Protocol):
    """Reads the registry for one answer."""

    async def read(self) -> Roster:
        """Read the whole registry now, every process checked again."""
        ...


class RosterSource(RosterReader, Protocol):
    """Where rosters come from."""

    def watch(self) -> AsyncGenerator[Roster, None]:
        """Yield the roster as it is, then again after each change, until the iterator is closed."""
        ...


class CancelSignal(Protocol):
    """Set by whoever wants a courier to stop. An `asyncio.Event` is one."""

    async def wait(self) -> object:
        """Return once the courier is to stop."""
        ...


class Courier(Protocol):
    """Runs couriers."""

    async def run(
        self, plan: CourierPlan, on_stage: Callable[[Stage], None], cancel: CancelSignal
    ) -> CourierRun | NotStarted:
        """Run one courier to its end. On every way out, cancellation included, no process of it is left."""
        ...

    def draw_nonce(self) -> str:
        """Return a nonce that nobody can foresee."""
        ...


class SettingsStore(Protocol):
    """The user's settings.json. Both methods raise `SettingsError`."""

    def read(self) -> InboundSettings:
        """Read the file as it is now."""
        ...

    def update(self, policy: InboundPolicy | None, expected_revision: str | None = None) -> InboundSettings:
        """Set the user-level policy, or remove it for None, and return what the file says afterwards.

        With `expected_revision`, refuse when the file is not the one that was seen.
        """
        ...


HUNG_UP_EXIT: Final = 129
"""The exit code when the terminal is gone, as after SIGHUP: there is nowhere left to write to."""


class Lifeline(Protocol):
    """Knows when something outside ends the program."""

    def watch(self, on_end: Callable[[int], None]) -> None:
        """Call `on_end` with the exit code once a signal asks the program to end, or its terminal is gone."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class Clock(Protocol):
    """The time of day."""

    def __call__(self) -> int:
        """Return the epoch time in milliseconds."""
        ...
