"""Whatever ends the program that runs a courier ends the courier, and quietly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.effects.stub_claude import StubClaude, comes_about, group_is_gone, group_members

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT: Final = Path(__file__).parents[2]
_SCRIPT: Final = """
import asyncio, signal, sys
from pathlib import Path
from tests.courier_lines import PLAN
from tests.effects.stub_claude import SYSTEM_PATH
from tui.effects.courier import ClaudeCourier

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the tests were started with
signal.signal(signal.SIGHUP, signal.SIG_DFL)
folder, ending = sys.argv[1:]
environment = {"PATH": f"{folder}/bin:{SYSTEM_PATH}", "NOTES": f"{folder}/notes", "HOME": folder}
courier = ClaudeCourier("claude", environment, Path(folder), True)
run = lambda on_stage=lambda _: None: courier.run(PLAN, on_stage, asyncio.Event())

def leave(_stage):
    sys.exit(7)

async def crash():
    task = asyncio.ensure_future(run())
    while not (Path(folder) / "notes" / "pid").exists():
        await asyncio.sleep(0.01)
    raise LookupError("crash")

asyncio.run({"crash": crash, "leave": lambda: run(leave)}.get(ending, run)())
"""

Parent = subprocess.Popen[bytes]


@pytest.fixture
def parent(claude: StubClaude, request: pytest.FixtureRequest) -> Iterator[Parent]:
    """A program of its own that runs one courier, which never ends by itself."""
    claude.install("sleep 77 & echo >$NOTES/both; exec sleep 78")
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", _SCRIPT, str(claude.folder)]
    process = subprocess.Popen(
        [*command, getattr(request, "param", "")],
        cwd=_ROOT,
        env=os.environ | {"PYTHONPATH": str(_ROOT)},
        stderr=subprocess.PIPE,
    )
    yield process
    process.kill()
    process.communicate()


async def started(claude: StubClaude) -> int:
    """Wait for the courier to run both its processes; return its group."""
    assert await comes_about(lambda: claude.has_note("both"))
    return int(claude.note("pid"))


def complaints(parent: Parent) -> list[str]:
    """Return what the ended parent wrote to stderr beside one traceback."""
    _, stderr = parent.communicate(timeout=10)
    lines = stderr.decode().splitlines()
    own = ("Traceback", " ", "KeyboardInterrupt", "LookupError: crash", "asyncio.exceptions.CancelledError", "During")
    return [line for line in lines if line and not line.startswith(own)]


async def test_an_interrupt_ends_the_courier_and_leaves_no_noise(claude: StubClaude, parent: Parent) -> None:
    group = await started(claude)
    parent.send_signal(signal.SIGINT)
    assert complaints(parent) == []
    assert parent.returncode == -signal.SIGINT
    assert await group_is_gone(group)


@pytest.mark.parametrize(("parent", "code"), [("leave", 7), ("crash", 1)], indirect=["parent"])
async def test_an_exit_or_a_crash_ends_the_courier_and_leaves_no_noise(
    claude: StubClaude, parent: Parent, code: int
) -> None:
    assert complaints(parent) == []
    assert parent.returncode == code
    if claude.has_note("pid"):
        assert await group_is_gone(int(claude.note("pid")))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
async def test_a_parent_that_is_killed_takes_the_courier_along(
    claude: StubClaude, parent: Parent, number: signal.Signals
) -> None:
    leader = await started(claude)
    parent.send_signal(number)
    assert await comes_about(lambda: leader not in group_members(leader))
    os.killpg(leader, signal.SIGKILL)  # the guard reaches the courier itself and not its children
