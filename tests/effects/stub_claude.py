"""Stand-ins for the `claude` program: real scripts on a PATH of the test's own, run by the real courier."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.courier_lines import INIT, PLAN, answered, called, line, result, said
from tui.domain.verdict import CourierRun, NotStarted, judge
from tui.effects.courier import ClaudeCourier

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.domain.courier import CourierPlan
    from tui.domain.courier_stream import Stage
    from tui.domain.delivery import Delivery

SYSTEM_PATH: Final = "/usr/bin:/bin"
_PATIENCE: Final = 5.0  # seconds; every condition waited for comes about within milliseconds

SENT_LINES: Final = tuple(line(event) for event in (INIT, said("…"), called(), answered(), result()))
"""What a courier prints that did what `PLAN` says."""

_ECHO: Final = r"""#!PYTHON -IS
import json, re, sys
line = sys.stdin.buffer.readline()
prompt = json.loads(line)["message"]["content"]
name = re.search(r"name is exactly `(.*?)`\. If", prompt, re.S)[1]
text = re.search(r"\n---BEGIN MESSAGE (\w+)---\n(.*)\n---END MESSAGE \1---\Z", prompt, re.S)[2]
call = {"type": "tool_use", "id": "t1", "name": "SendMessage", "input": {"to": name, "message": text}}
answer = {"type": "tool_result", "tool_use_id": "t1", "content": '{"success":true}'}
for event in (
    {"type": "system", "subtype": "init", "tools": ["ListAgents", "SendMessage"]},
    {"type": "assistant", "message": {"content": [call]}},
    {"type": "user", "message": {"content": [answer]}},
    {"type": "result", "subtype": "success", "is_error": False, "result": "SENT"},
):
    print(json.dumps(event))
"""
ECHO: Final = _ECHO.replace("PYTHON", sys.executable)
"""Does what its prompt says, and exits."""


@dataclass
class StubClaude:
    """A folder with a `claude` in it, and where it leaves its notes."""

    folder: Path
    runs: list[CourierRun | NotStarted] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("bin", "notes", "config"):
            (self.folder / name).mkdir()

    @property
    def program(self) -> Path:
        return self.folder / "bin" / "claude"

    def install(self, script: str) -> None:
        """Make `script` the program, which runs with $NOTES set; a shell script has no first line and notes its pid."""
        self.program.write_text(script if script.startswith("#!") else f"#!/bin/sh\necho $$ >$NOTES/pid\n{script}\n")
        self.program.chmod(0o755)

    def install_printing(self, *lines: bytes, then: str = "", end: bytes = b"\n") -> None:
        """Make the program one that prints these lines and goes on with the shell commands `then`."""
        (self.folder / "output").write_bytes(b"".join(each + end for each in lines))
        self.install(f"cat '{self.folder}/output'\n{then}")

    def courier(self, **environment: str) -> ClaudeCourier:
        """Return the real courier, with this room's program on PATH."""
        mine = {
            "PATH": f"{self.folder}/bin:{SYSTEM_PATH}",
            "HOME": os.environ["HOME"],
            "NOTES": f"{self.folder}/notes",
        }
        return ClaudeCourier("claude", mine | environment, self.folder / "config", config_dir_is_default=True)

    async def run(
        self,
        plan: CourierPlan = PLAN,
        *,
        courier: ClaudeCourier | None = None,
        on_stage: Callable[[Stage], None] = lambda _stage: None,
        cancel: asyncio.Event | None = None,
    ) -> Delivery:
        """Run one courier, keep its run, and return the verdict."""
        run = await (courier or self.courier()).run(plan, on_stage, cancel or asyncio.Event())
        self.runs.append(run)
        return judge(plan, run)

    @property
    def last(self) -> CourierRun:
        """The last run, which must have started."""
        run = self.runs[-1]
        assert isinstance(run, CourierRun), run
        return run

    def note(self, name: str) -> str:
        """Return what the program wrote into `$NOTES/<name>`."""
        return (self.folder / "notes" / name).read_text()

    def has_note(self, name: str) -> bool:
        """Whether the program wrote a whole line into `$NOTES/<name>`."""
        path = self.folder / "notes" / name
        return path.exists() and path.read_text().endswith("\n")

    async def nothing_is_left(self) -> bool:
        """Whether the group of the last program that noted its pid is gone, and the program was reaped."""
        group = int(self.note("pid"))
        return await group_is_gone(group) and was_reaped(group)


def group_members(group: int) -> list[int]:
    """Return the processes of a group that are no zombies."""
    if not Path("/proc/self/stat").exists():
        return [group] if _group_exists(group) else []
    return [pid for pid in _pids() if _runs_in(pid, group)]


async def group_is_gone(group: int) -> bool:
    """Whether a group that was sent SIGKILL has no process left, once the kernel had its moment."""
    return await comes_about(lambda: not group_members(group))


async def comes_about(condition: Callable[[], bool], seconds: float = _PATIENCE) -> bool:
    """Whether the condition holds within that time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True


def was_reaped(pid: int) -> bool:
    """Whether this process has no such child, not even a zombie."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def children() -> set[int]:
    """Return the children of this process, zombies too. Linux only."""
    return {pid for pid in _pids() if _fields(pid)[1:2] == [str(os.getpid())]}


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _fields(pid: int) -> list[str]:
    """Return the state, the parent and the group of a process, and more; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _runs_in(pid: int, group: int) -> bool:
    fields = _fields(pid)
    return fields[2:3] == [str(group)] and fields[0] not in "ZX"


def _group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
