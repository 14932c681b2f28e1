"""A child process in a group of its own; on every way out all of the group is ended and the child reaped.

Built on asyncio's transport and not on its `Process`: that one can be closed only through a private attribute, and in
some versions of Python its `wait` does not return while a grandchild holds a pipe.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final, cast

from tui.effects.parent_death import parent_death_guard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

ENDING_SECONDS: Final = 1.0
"""How long each step of ending a child may take: leaving by itself, SIGTERM, SIGKILL."""

DRAIN_SECONDS: Final = 0.5
"""How long output is still read after the child's exit. A grandchild that called setsid may hold the pipe for ever."""

_STDERR_BYTES: Final = 4096
_STDIN, _STDOUT, _STDERR = range(3)


class Child(asyncio.SubprocessProtocol):
    """One running child. Made by `own_group`."""

    def __init__(self, output_limit: int) -> None:
        self.stderr = b""
        """The end of what it wrote there."""
        self.overflowed = False
        """It wrote more than the limit to stdout, which was closed then."""
        self._transport: asyncio.SubprocessTransport
        self._room = output_limit
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._output_over = False
        self._at_end = False
        self._exited = asyncio.Event()
        self._ended = False
        self._drain: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int:
        """Its process id, which is also the group's."""
        return self._transport.get_pid()

    @property
    def at_end(self) -> bool:
        """Whether `read` came to the end of the output."""
        return self._at_end

    async def read(self) -> bytes:
        """Return more of its stdout; empty at the end."""
        chunk = b"" if self._at_end else await self._chunks.get()
        self._at_end = not chunk
        return chunk

    def write(self, data: bytes) -> None:
        """Queue `data` for its stdin. A child that does not read it, or is gone, is no error."""
        self._pipe(_STDIN).write(data)

    def end_input(self) -> None:
        """Close its stdin once all that was queued is written."""
        self._pipe(_STDIN).close()

    async def leave(self) -> int | None:
        """Close its stdin and let it exit by itself; return its exit code, None when it does not exit soon."""
        self.end_input()
        await self._exit_soon()
        return self._transport.get_returncode()

    async def end(self) -> None:
        """End whatever is left of the group. Each wait is bounded; an interrupted one ends in SIGKILL at once."""
        if self._ended:
            return
        try:
            if not self._exited.is_set():
                self._signal(signal.SIGTERM)
                await self._exit_soon()
        finally:
            self._ended = True
            self._signal(signal.SIGKILL)
        await self._exit_soon()

    def close(self) -> None:
        """Let go of the pipes, whoever holds their other ends."""
        if self._drain:
            self._drain.cancel()
        stdin = self._pipe(_STDIN)
        if stdin.get_write_buffer_size():
            stdin.abort()  # closing would wait for a reader
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep stdout for `read`, up to the limit, and the end of stderr."""
        if fd == _STDERR:
            self.stderr = (self.stderr + data)[-_STDERR_BYTES:]
            return
        self._room -= len(data)
        if self._room >= 0:
            self._chunks.put_nowait(data)
        elif not self.overflowed:
            self.overflowed = True
            self._pipe(_STDOUT).close()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Note the end of stdout."""
        if fd == _STDOUT:
            self._finish_output()

    def process_exited(self) -> None:
        """Note the exit; what is in the pipe by now can still be read."""
        self._exited.set()
        self._drain = asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._finish_output)

    def _finish_output(self) -> None:
        if not self._output_over:
            self._output_over = True
            self._chunks.put_nowait(b"")

    def _pipe(self, fd: int) -> asyncio.WriteTransport:
        return cast("asyncio.WriteTransport", self._transport.get_pipe_transport(fd))

    async def _exit_soon(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await self._exited.wait()

    def _signal(self, number: signal.Signals) -> None:
        # The group is gone, or (macOS) only its zombies are left.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


@asynccontextmanager
async def own_group(
    command: Sequence[str], *, environment: Mapping[str, str], directory: Path, output_limit: int
) -> AsyncIterator[Child]:
    """Run `command` as the leader of a group of its own, which does not outlive the block.

    Raises:
        OSError: it cannot be started.
    """
    starting = asyncio.ensure_future(_start(command, environment, directory, output_limit))
    try:
        # Shielded: a cancellation between the fork and the first read would leave a child that nobody knows.
        yield await asyncio.shield(starting)
    finally:
        child = await starting
        try:
            await child.end()
        finally:
            child.close()
            await asyncio.sleep(0)  # the pipes are closed in the loop's next round


async def _start(command: Sequence[str], environment: Mapping[str, str], directory: Path, output_limit: int) -> Child:
    _, child = await asyncio.get_running_loop().subprocess_exec(
        lambda: Child(output_limit),
        *command,
        env=environment,
        cwd=directory,
        start_new_session=True,
        preexec_fn=parent_death_guard(),
    )
    return child
