"""Children in groups of their own, whoever keeps hold of their pipes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.effects.stub_claude import comes_about, group_is_gone, was_reaped
from tui.effects.child import _when_exited, own_group

ROOT = Path("/")
DESCRIPTORS = Path("/dev/fd")


def open_descriptors() -> set[str]:
    return {path.name for path in DESCRIPTORS.iterdir()}


async def test_no_descriptor_is_left_open_although_a_stray_grandchild_holds_all_pipes(tmp_path: Path) -> None:
    stray = tmp_path / "stray"
    script = f"exec 3<&0; setsid sh -c 'echo $$ >{stray}; exec sleep 600' <&3 & exec sleep 600"
    before = open_descriptors()
    async with own_group(["/bin/sh", "-c", script], environment=os.environ, directory=ROOT, output_limit=100) as child:
        child.write(b"x" * 1_000_000)
        assert await comes_about(lambda: stray.exists() and stray.read_text().endswith("\n"))
    try:
        assert await comes_about(lambda: open_descriptors() == before)
        assert await group_is_gone(child.pid)
    finally:
        os.kill(int(stray.read_text()), signal.SIGKILL)


async def test_a_child_writes_and_is_written_to() -> None:
    async with own_group(["/bin/cat"], environment={}, directory=ROOT, output_limit=100) as child:
        child.write(b"to and fro")
        assert await child.read() == b"to and fro"
        assert await child.leave() == 0
        assert await child.read() == b""
        assert await child.read() == b""
    assert was_reaped(child.pid)


async def test_what_a_child_wrote_before_its_exit_can_be_read_after_it() -> None:
    script = "echo out; echo err >&2; exit 5"
    async with own_group(["/bin/sh", "-c", script], environment={}, directory=ROOT, output_limit=100) as child:
        assert await child.leave() == 5
        assert await child.read() == b"out\n"
        assert child.stderr == b"err\n"


async def test_an_error_within_the_block_ends_the_child() -> None:
    with pytest.raises(LookupError):
        async with own_group(["/bin/sleep", "600"], environment={}, directory=ROOT, output_limit=100) as child:
            raise LookupError
    assert was_reaped(child.pid)


async def test_what_cannot_be_started_is_an_error_and_leaves_nothing_open() -> None:
    before = open_descriptors()
    with pytest.raises(FileNotFoundError):
        async with own_group(["/no/such"], environment={}, directory=ROOT, output_limit=100):
            pass
    with pytest.raises(FileNotFoundError):
        async with own_group(["/bin/true"], environment={}, directory=ROOT / "no" / "such", output_limit=100):
            pass
    assert open_descriptors() == before


def test_a_child_is_reaped_although_the_loop_is_gone() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    process = subprocess.Popen(["/bin/sleep", "600"])
    _when_exited(process, loop, lambda: None)
    (waiting,) = (thread for thread in threading.enumerate() if thread.name == f"wait-for-{process.pid}")
    process.kill()
    waiting.join(5)
    assert was_reaped(process.pid)
