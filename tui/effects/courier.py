"""Running couriers: a child process that is written to, listened to, and ended on every way out."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tui.domain.courier import courier_arguments, courier_environment, courier_input
from tui.domain.courier_stream import STREAM_BYTES
from tui.domain.courier_words import unknown_flag
from tui.domain.delivery import Cause
from tui.domain.verdict import CourierEnd, CourierRun, NotStarted
from tui.effects.child import own_group
from tui.effects.listener import Listener
from tui.effects.program import cannot_start, find_program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractAsyncContextManager

    from tui.domain.courier import CourierPlan
    from tui.domain.courier_stream import Stage
    from tui.domain.ports import CancelSignal
    from tui.effects.child import Child

_log = logging.getLogger(__name__)

_VERSION_SECONDS: Final = 3.0
_VERSION_BYTES: Final = 4096
_NONCE_BYTES: Final = 8


@dataclass(slots=True)
class ClaudeCourier:
    """Runs the user's own `claude` as a courier; see `tui.domain.ports.Courier`."""

    program: str
    """A name on PATH or a path, looked up for each run."""
    environment: Mapping[str, str]
    """The user's own; what marks an outer session is taken out of it."""
    config_dir: Path
    config_dir_is_default: bool
    """The courier finds the config directory by itself; see `courier_environment`."""
    pids: set[int] = field(default_factory=set)
    """The couriers that run now: they register themselves as sessions, and are to be hidden."""

    async def run(
        self, plan: CourierPlan, on_stage: Callable[[Stage], None], cancel: CancelSignal
    ) -> CourierRun | NotStarted:
        """Run one courier to its end. On every way out, cancellation included, no process of its group is left."""
        program = find_program(self.program, self.environment)
        if isinstance(program, NotStarted):
            return program
        stopping = asyncio.ensure_future(cancel.wait())
        try:
            await asyncio.sleep(0)  # so that a signal that is set by now is seen
            if stopping.done():
                return NotStarted(Cause.CANCELLED, "Cancelled before the courier was started; nothing was sent.")
            return await self._run(program, plan, on_stage, stopping)
        finally:
            stopping.cancel()

    def draw_nonce(self) -> str:
        """Return a nonce that nobody can foresee."""
        return secrets.token_hex(_NONCE_BYTES)

    async def _run(
        self, program: str, plan: CourierPlan, on_stage: Callable[[Stage], None], stopping: asyncio.Future[object]
    ) -> CourierRun | NotStarted:
        began = time.monotonic()
        async with AsyncExitStack() as stack:
            command = [program, *courier_arguments(plan)]
            try:
                child = await stack.enter_async_context(self._child(command, STREAM_BYTES))
            except OSError as error:
                _log.info("courier not started: %s", error.strerror)
                return cannot_start(program, error)
            _log.info("courier %d started", child.pid)
            self.pids.add(child.pid)
            stack.callback(self.pids.discard, child.pid)
            listener = Listener(child, on_stage)
            child.write(courier_input(plan))
            end = await listener.listen(plan.timeout, stopping)
            exit_code = await child.leave() if end is CourierEnd.ANSWERED and listener.may_leave else None
            await child.end()
            await listener.hear_rest()
        _log.info("courier %d %s, exit code %s, calls %d", child.pid, end.value, exit_code, len(listener.stream.calls))
        stderr = child.stderr.decode("utf-8", "replace")
        return CourierRun(
            listener.stream,
            end,
            exit_code,
            stderr,
            seconds=time.monotonic() - began,
            program_version=await self._ask_version(program) if unknown_flag(stderr) else "",
            notice_awaited=listener.waited_for_notice,
        )

    def _child(self, command: list[str], output_limit: int) -> AbstractAsyncContextManager[Child]:
        """Start in the config directory: it exists, and nobody else can lay project settings there."""
        told = None if self.config_dir_is_default else os.fspath(self.config_dir)
        is_there = os.access(self.config_dir, os.X_OK) and os.path.isdir(self.config_dir)  # noqa: PTH112 - never raises
        return own_group(
            command,
            environment=courier_environment(self.environment, told),
            directory=self.config_dir if is_there else Path("/"),
            output_limit=output_limit,
        )

    async def _ask_version(self, program: str) -> str:
        answer = b""
        with suppress(OSError):  # a time-out is one, too
            async with asyncio.timeout(_VERSION_SECONDS), self._child([program, "--version"], _VERSION_BYTES) as child:
                child.end_input()
                while chunk := await child.read():
                    answer += chunk
        return answer.decode("utf-8", "replace").strip()
