"""One real interactive session in a pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
from typing import TYPE_CHECKING, Any, Final

from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_ESCAPES: Final = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-?]*[ -/]*[@-~]|[@-_])")
_MESSAGE: Final = re.compile(r"<cross-session-message [^>\n]*>\n(.*)\n</cross-session-message>", re.DOTALL)
_ENTER: Final = "\r"


class Session:
    """A running `claude`; what it does is seen in its registry record, its transcript and on its screen."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str], config_dir: Path) -> None:
        self._config_dir = config_dir
        self._seen = bytearray()
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self._process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self._drain = threading.Thread(target=self._read_screen)
        self._drain.start()

    @property
    def pid(self) -> int:
        return self._process.pid

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
    def screen(self) -> str:
        """Everything it printed so far, less the escape sequences."""
        return _ESCAPES.sub("", self._seen.decode("utf-8", "replace"))

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
        self._wait_until(lambda: self.record.get("status") == status, status)

    def press(self, keys: str) -> None:
        """Send keys as they are."""
        os.write(self._master, keys.encode())

    def enter(self, line: str) -> None:
        """Type a line; Enter follows once the line stands on the screen, since both at once count as pasted."""
        last_word, before = line.rsplit(maxsplit=1)[-1], len(self.screen)
        self.press(line)
        self._wait_until(lambda: last_word in self.screen[before:], f"{last_word} on the screen")
        self.press(_ENTER)

    def kill(self) -> None:
        """End it as a crash does: the record stays behind."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it and everything in its process group."""
        if self._process.poll() is None:
            os.killpg(self.pid, signal.SIGTERM)
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.pid, signal.SIGKILL)
                self._process.wait()
        self._drain.join(5)
        os.close(self._master)

    def _wait_until(self, found: Callable[[], object], what: str) -> None:
        try:
            wait_until(found, what)
        except AssertionError as error:
            error.add_note(f"the session's record: {self.record}\nits screen: {self.screen[-2000:]}")
            raise

    def _read_screen(self) -> None:
        while True:
            try:
                chunk = os.read(self._master, 65536)
            except OSError:  # nobody holds the terminal's other end any more
                return
            self._seen.extend(chunk)
