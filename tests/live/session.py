"""One real interactive session in a terminal of its own."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import suppress
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any, Final

from tests.terminal.pty_program import PtyProgram
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_MESSAGE: Final = re.compile(r"<cross-session-message [^>\n]*>\n(.*)\n</cross-session-message>", re.DOTALL)
_ENTER: Final = "\r"
_ENDING_SECONDS: Final = 3.0  # now and then it waits for something of its own before it exits


class Session:
    """A running `claude`; what it does is seen in its registry record and its transcript."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str], config_dir: Path) -> None:
        self._config_dir = config_dir
        self._terminal = PtyProgram(command, environment, directory=folder)

    @property
    def pid(self) -> int:
        return self._terminal.process.pid

    @property
    def record(self) -> dict[str, Any]:
        """Its registry record as it is now; empty without one."""
        try:
            record: dict[str, Any] = json.loads((self._config_dir / "sessions" / f"{self.pid}.json").read_text())
        except (OSError, ValueError):
            return {}
        return record

    @property
    def session_id(self) -> str:
        """Its session's id, which joins the transcript; a record that is just being rewritten has none."""
        return str(wait_until(lambda: self.record.get("sessionId"), "a session id"))

    @property
    def transcript(self) -> list[dict[str, Any]]:
        """The rows of its transcript so far, less one that is just being written."""
        files = list((self._config_dir / "projects").glob(f"*/{self.session_id}.jsonl"))
        return [json.loads(line) for file in files for line in file.read_bytes().split(b"\n")[:-1]]

    @property
    def received(self) -> list[str]:
        """The messages from other sessions that entered its conversation, each byte for byte."""
        rows = [row["message"]["content"] for row in self.transcript if row["type"] == "user"]
        return [match[1] for content in rows if isinstance(content, str) and (match := _MESSAGE.search(content))]

    def wait_for_status(self, status: str) -> None:
        """Wait until its record says so."""
        try:
            wait_until(lambda: self.record.get("status") == status, status)
        except AssertionError as error:
            error.add_note(f"the session's record: {self.record}\nits terminal: {self._terminal.written[-4000:]!r}")
            raise

    def press(self, keys: str) -> None:
        """Send keys as they are."""
        self._terminal.press(keys)

    def enter(self, line: str) -> None:
        """Type a line; Enter follows once its last word stands there, since all at once counts as pasted."""
        before = len(self._terminal.written)
        self.press(line)
        self._terminal.wait_for(line.rsplit(maxsplit=1)[-1], after=before)
        self.press(_ENTER)

    def kill(self) -> None:
        """End it as a crash does: the record stays behind."""
        self._terminal.process.kill()
        self._terminal.process.wait()

    def terminate(self) -> None:
        """Ask it and its process group to end."""
        if self._terminal.process.poll() is None:
            os.killpg(self.pid, signal.SIGTERM)

    def close(self) -> None:
        """End it, kindly as long as it answers to that."""
        with self._terminal, suppress(TimeoutExpired):
            self.terminate()
            self._terminal.process.wait(_ENDING_SECONDS)
