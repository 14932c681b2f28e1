"""A child process in a group of its own; on every way out all of the group is ended and the child reaped.

asyncio's own subprocesses cannot promise that: their start and their `wait` hang where a grandchild holds a pipe
(depending on the version of Python), and nobody reaps when the loop is gone. So the pipes are asyncio's, while the
process is a plain `Popen` with a thread that waits for it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from tui.effects.parent_death import parent_death_guard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from pathlib import Path

ENDING_SECONDS: Final = 1.0
"""How long each step of ending a child may take: leaving by itself, SIGTERM, SIGKILL."""

DRAIN_SECONDS: Final = 0.5
"""How long output is still read after the child's exit. A grandchild that called setsid may hold the pipe for ever."""

_STDERR_BYTES: Final = 4096


@asynccontextmanager
async def own_group(
    command: Sequence[str], *, environment: Mapping[str, str], directory: Path, output_limit: int
) -> AsyncIterator[Child]:
    """Run `command` as the leader of a group of its own, which does not outlive the block.

    Raises:
        OSError: it cannot be started.
    """
    # Between the fork and the block that ends it there is no await, and so no cancellation.
    process = subprocess.Popen(  # noqa: ASYNC220 - asyncio's own call blocks just as long, for the exec
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=directory,
        start_new_session=True,
        preexec_fn=parent_death_guard(),  # noqa: PLW1509 - see there
    )
    child = Child(process, output_limit)
    try:
        await child.connect()
        yield child
    finally:
        try:
            await child.end()
        finally:
            child.close()
            await asyncio.sleep(0)  # the pipes are closed in the loop's next round


class Child:
    """One running child. Made by `own_group`."""

    def __init__(self, process: subprocess.Popen[bytes], output_limit: int) -> None:
        self.stderr = b""
        """The end of what it wrote there."""
        self.overflowed = False
        """It wrote more than the limit to stdout, which was closed then."""
        self.at_end = False
        """`read` came to the end of its output."""
        self._process = process
        self._room = output_limit
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._exited = asyncio.Event()
        self._ended = False
        self._drain: asyncio.TimerHandle | None = None
        self._input: asyncio.WriteTransport | None = None
        self._outputs: list[asyncio.ReadTransport] = []
        _when_exited(process, asyncio.get_running_loop(), self._take_exit)

    async def connect(self) -> None:
        """Begin to read and to write."""
        loop, process = asyncio.get_running_loop(), self._process
        stdout, stderr = _Inflow(self._take_output, self._finish_output), _Inflow(self._take_stderr, lambda: None)
        self._outputs.append((await loop.connect_read_pipe(lambda: stdout, process.stdout))[0])
        self._outputs.append((await loop.connect_read_pipe(lambda: stderr, process.stderr))[0])
        self._input, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)

    @property
    def pid(self) -> int:
        """Its process id, which is also the group's."""
        return self._process.pid

    async def read(self) -> bytes:
        """Return more of its stdout; empty at the end."""
        chunk = b"" if self.at_end else await self._chunks.get()
        self.at_end = not chunk
        return chunk

    def write(self, data: bytes) -> None:
        """Queue `data` for its stdin. A child that does not read it, or is gone, is no error."""
        if self._input:
            self._input.write(data)

    def end_input(self) -> None:
        """Close its stdin once all that was queued is written."""
        if self._input:
            self._input.close()

    async def leave(self) -> int | None:
        """Close its stdin and let it exit by itself; return its exit code, None when it does not exit soon."""
        self.end_input()
        await self._exit_soon()
        return self._process.returncode

    async def end(self) -> None:
        """End whatever is left of the group. Each wait is bounded; an interrupted one ends in SIGKILL at once."""
        if self._ended:
            return
        try:
            if not self._exited.is_set():
                self._signal(signal.SIGTERM)
                await self._exit_soon()
        finally:
            self._ended = True  # from now on the group's number may become another's
            self._signal(signal.SIGKILL)
        await self._exit_soon()

    def close(self) -> None:
        """Let go of the pipes, whoever holds their other ends."""
        if self._drain:
            self._drain.cancel()
        if self._input and self._input.get_write_buffer_size():
            self._input.abort()  # closing would wait for a reader
        transports = [*self._outputs, self._input] if self._input else self._outputs
        for transport in transports:
            transport.close()
        pipes = (self._process.stdout, self._process.stderr, self._process.stdin)
        for pipe in pipes[len(transports) :]:  # not connected yet
            if pipe:
                pipe.close()

    async def _exit_soon(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await self._exited.wait()

    def _signal(self, number: signal.Signals) -> None:
        # The group is gone, or (macOS) only its zombies are left.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _take_output(self, data: bytes) -> None:
        self._room -= len(data)
        if self._room >= 0:
            self._chunks.put_nowait(data)
        elif not self.overflowed:
            self.overflowed = True
            self._outputs[0].close()

    def _take_stderr(self, data: bytes) -> None:
        self.stderr = (self.stderr + data)[-_STDERR_BYTES:]

    def _finish_output(self) -> None:
        self._chunks.put_nowait(b"")

    def _take_exit(self) -> None:
        self._exited.set()
        self._drain = asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._finish_output)


class _Inflow(asyncio.Protocol):
    """Hands on what comes out of a pipe."""

    def __init__(self, take: Callable[[bytes], None], finish: Callable[[], None]) -> None:
        self._take = take
        self._finish = finish

    def data_received(self, data: bytes) -> None:
        """Hand on a piece."""
        self._take(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Hand on the end."""
        self._finish()


def _when_exited(process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, tell: Callable[[], None]) -> None:
    """Reap the process once it exits, even if the loop is gone by then, and call `tell` in the loop."""

    def wait() -> None:
        process.wait()
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell)

    threading.Thread(target=wait, name=f"wait-for-{process.pid}", daemon=True).start()
