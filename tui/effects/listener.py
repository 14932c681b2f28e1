"""Listening to one courier: its output becomes evidence, until there is enough of it or a time is over."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tui.domain.courier import COURIER_GRACE, COURIER_SILENCE
from tui.domain.courier_stream import STREAM_LINES, CourierStream, Step
from tui.domain.verdict import CourierEnd
from tui.effects.child import DRAIN_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.domain.courier_stream import Stage
    from tui.effects.child import Child


@dataclass(slots=True)
class Listener:
    """Listens to one courier."""

    child: Child
    on_stage: Callable[[Stage], None]
    stream: CourierStream = field(default_factory=CourierStream)
    _grace_is_over: bool = False
    _stage: Stage | None = None
    _line: list[bytes] = field(default_factory=list)
    """The line whose end is still to come, in pieces: it may be megabytes."""
    _lines_left: int = STREAM_LINES

    async def listen(self, seconds: float, stopping: asyncio.Future[object]) -> CourierEnd:
        """Read until nothing more can change the verdict, `stopping` is done, or no result came for `seconds`."""
        reading = asyncio.ensure_future(self._read(seconds))
        try:
            either: set[asyncio.Future[Any]] = {reading, stopping}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return reading.result() if reading.done() else CourierEnd.CANCELLED
        finally:
            reading.cancel()
            await asyncio.wait({reading})

    async def hear_rest(self) -> None:
        """Read what a courier that was ended has still printed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(2 * DRAIN_SECONDS):
                while chunk := await self.child.read():
                    self._feed(chunk)
        if self._line:
            self.stream.feed(b"".join(self._line), whole=False)

    @property
    def may_leave(self) -> bool:
        """Whether the courier is done, so that it exits by itself; after a notice it would start another turn."""
        return self.stream.notice is None and (self.stream.result is not None or self.child.at_end)

    @property
    def waited_for_notice(self) -> bool:
        """See `CourierRun.notice_awaited`."""
        return self._grace_is_over or self.stream.notice is not None

    async def _read(self, seconds: float) -> CourierEnd:
        loop = asyncio.get_running_loop()
        silence = loop.call_later(COURIER_SILENCE, self.child.end_input)
        self._tell_stage()
        try:
            async with asyncio.timeout(seconds) as limit:
                in_grace = False
                while not self._has_enough and (chunk := await self.child.read()):
                    silence.cancel()
                    self._feed(chunk)
                    if self.stream.step is Step.GRACE and not in_grace:
                        in_grace = True
                        limit.reschedule(loop.time() + COURIER_GRACE)
        except TimeoutError:
            if self.stream.result is None:
                return CourierEnd.TIMED_OUT
            self._grace_is_over = True
        finally:
            silence.cancel()
        return CourierEnd.OVERFLOWED if self._is_flood else CourierEnd.ANSWERED

    @property
    def _is_flood(self) -> bool:
        return self.child.overflowed or self._lines_left < 0

    @property
    def _has_enough(self) -> bool:
        return self.stream.step is Step.END or self._is_flood

    def _feed(self, chunk: bytes) -> None:
        self._lines_left -= chunk.count(b"\n")
        if self._lines_left < 0:
            self.stream.is_damaged = True
            return
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self.stream.feed(b"".join((*self._line, end)))
            self._line.clear()
            self._tell_stage()
        self._line.append(rest)

    def _tell_stage(self) -> None:
        if self.stream.stage is not self._stage and self.stream.step is not Step.END:
            self._stage = self.stream.stage
            self.on_stage(self._stage)
