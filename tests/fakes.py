"""Stand-ins for the seams in `tui.domain.ports`; each shorter than the real thing."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from tests.building import build_roster
from tui.domain.courier_stream import CourierStream, Stage
from tui.domain.inbound import InboundPolicy, InboundSettings, SettingsError, SettingsTrouble
from tui.domain.verdict import CourierEnd, CourierRun, NotStarted

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable
    from pathlib import Path

    from tui.domain.courier import CourierPlan
    from tui.domain.ports import CancelSignal
    from tui.domain.roster import Roster


class FakeRosterSource:
    """Yields the rosters that a test shows it."""

    def __init__(self, roster: Roster | None = None) -> None:
        self.current = roster or build_roster()
        self._shown: asyncio.Queue[Roster] = asyncio.Queue()

    def show(self, roster: Roster) -> None:
        """Make `roster` what the registry holds from now on."""
        self.current = roster
        self._shown.put_nowait(roster)

    async def read(self) -> Roster:
        return self.current

    async def watch(self) -> AsyncGenerator[Roster, None]:
        yield self.current
        while True:
            yield await self._shown.get()


class FakeCourier:
    """Answers each run with the next of its scripts; a script is a finished run, or lines of a stream."""

    def __init__(self, *runs: CourierRun | NotStarted, hold: bool = False) -> None:
        self.plans: list[CourierPlan] = []
        self._runs = list(runs)
        self.may_finish = asyncio.Event()
        if not hold:
            self.may_finish.set()

    async def run(
        self, plan: CourierPlan, on_stage: Callable[[Stage], None], cancel: CancelSignal
    ) -> CourierRun | NotStarted:
        self.plans.append(plan)
        on_stage(Stage.LOOKING)
        finish, stop = asyncio.ensure_future(self.may_finish.wait()), asyncio.ensure_future(cancel.wait())
        await asyncio.wait({finish, stop}, return_when=asyncio.FIRST_COMPLETED)
        cancelled = not finish.done()
        finish.cancel()
        stop.cancel()
        if cancelled:
            return CourierRun(CourierStream(), CourierEnd.CANCELLED)
        return self._runs.pop(0) if self._runs else sent_run(plan)

    def draw_nonce(self) -> str:
        return "fade0000"


def stream_of(lines: Iterable[bytes]) -> CourierStream:
    """Return a stream that was fed these lines."""
    stream = CourierStream()
    for line in lines:
        stream.feed(line)
    return stream


def sent_run(plan: CourierPlan) -> CourierRun:
    """Return the run of a courier that did just what it was told."""
    call = {"type": "tool_use", "id": "t1", "name": "SendMessage", "input": {"to": plan.name, "message": plan.text}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": '{"success":true}'}
    events = [
        {"type": "assistant", "message": {"content": [call]}},
        {"type": "user", "message": {"content": [answer]}},
        {"type": "result", "subtype": "success", "is_error": False, "result": "SENT", "total_cost_usd": 0.01},
    ]
    return CourierRun(stream_of(json.dumps(event).encode() for event in events), CourierEnd.ANSWERED, 0, seconds=1.5)


class FakeSettingsStore:
    """Keeps the policy in memory; `foreign_write` is another program's change."""

    def __init__(self, path: Path, policy: InboundPolicy | None = None) -> None:
        self._path = path
        self._policy = policy
        self._writes = 0
        self.error: SettingsError | None = None

    def foreign_write(self, policy: InboundPolicy | None) -> None:
        self._policy = policy
        self._writes += 1

    def read(self) -> InboundSettings:
        if self.error:
            raise self.error
        return InboundSettings(self._path, f"{self._writes:064x}", self._policy)

    def update(self, policy: InboundPolicy | None, expected_revision: str | None = None) -> InboundSettings:
        before = self.read()
        if expected_revision not in {None, before.revision}:
            raise SettingsError(SettingsTrouble.CHANGED_DURING_WRITE, "the settings changed meanwhile", "Look again.")
        self.foreign_write(policy)
        return self.read()


class FakeLifeline:
    """Nothing outside ends the program until a test says so."""

    def watch(self, on_end: Callable[[int], None]) -> None:
        self.end = on_end

    def close(self) -> None: ...
