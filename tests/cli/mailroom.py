"""A session that can be written to, a stand-in for `claude`, and the real command between them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tests.building import write_record
from tests.cli.running import peerdeck
from tests.effects.stub_claude import ECHO, SYSTEM_PATH, StubClaude
from tui.effects.processes import system_processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

NAME: Final = "addressee"

_NOTE: Final = """
import os
with open(os.environ["NOTES"] + "/received", "a") as notes:
    notes.write(json.dumps([name, text, dict(os.environ)]) + "\\n")
for event"""
KEEPING: Final = ECHO.replace("\nfor event", _NOTE, 1)
"""Does what its prompt says, and notes what that was and in which environment."""


@dataclass
class Mailroom:
    """One live session named `NAME`, and a courier of the test's own; without one, `claude` is not found."""

    registry: Path
    claude: StubClaude
    start: Callable[..., subprocess.Popen[bytes]]

    def add(self, name: str | None = NAME, **changes: object) -> int:
        """Add a live session with an inbox; return its pid."""
        process = self.start()
        inbox = self.claude.folder / f"{process.pid}.sock"
        inbox.touch()
        start = system_processes().look(process.pid).start
        fields = {"name": name, "procStart": start, "messagingSocketPath": str(inbox)}
        write_record(self.registry, process.pid, **(fields | changes))
        return process.pid

    @property
    def environment(self) -> dict[str, str]:
        """What makes the command find the stand-in."""
        return {"PATH": f"{self.claude.folder}/bin:{SYSTEM_PATH}", "NOTES": f"{self.claude.folder}/notes"}

    def run(self, *arguments: str, text: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `peerdeck`."""
        return peerdeck(*arguments, text=text, **(self.environment | environment))

    def send(
        self, *arguments: str, text: str | bytes = b"", **environment: str
    ) -> tuple[int, str, str | None, dict[str, Any]]:
        """Run `peerdeck send --json`; return exit code, outcome, cause and everything that it printed."""
        done = self.run("send", "--json", *arguments, text=text, **environment)
        assert done.stdout, done.stderr
        facts: dict[str, Any] = json.loads(done.stdout)
        return done.returncode, facts["outcome"], facts["cause"], facts

    @property
    def received(self) -> list[tuple[str, str, dict[str, str]]]:
        """What each `KEEPING` courier was told to hand over: name, text and environment."""
        note = self.claude.folder / "notes" / "received"
        return [tuple(json.loads(line)) for line in note.read_text().splitlines()] if note.exists() else []
