"""A real terminal whose screen can be read: `peerdeck` in a tmux of its own."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Self

from tests.live.room import PROJECT
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.live.room import Room


class Terminal:
    """The dashboard of a room; tmux ends with it."""

    def __init__(self, room: Room) -> None:
        self.screens: list[str] = []
        """Every screen that was looked at."""
        self._room = room
        self._socket = room.root / "tmux"
        self._exit = room.root / "exit"
        self._exit.unlink(missing_ok=True)
        command = f"{shlex.quote(sys.executable)} -m tui; echo $? > {self._exit}"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "34", command)

    @property
    def screen(self) -> str:
        """What it shows now; empty once it has ended."""
        screen = self._tmux("capture-pane", "-p")
        self.screens.append(screen)
        return screen

    @property
    def is_open(self) -> bool:
        """Whether tmux still runs."""
        return bool(self._tmux("list-sessions"))

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names."""
        self._tmux("send-keys", *keys)

    def write(self, text: str) -> None:
        """Type a text, and wait until it stands on the screen."""
        self._tmux("send-keys", "-l", text)
        self.wait_for(text)

    def wait_for(self, text: str) -> None:
        """Wait until the screen shows a text."""
        self.wait_until(lambda screen: text in screen, text)

    def wait_until(self, wanted: Callable[[str], bool], what: str) -> None:
        """Wait for a screen."""
        try:
            wait_until(lambda: wanted(self.screen), what)
        except AssertionError as error:
            error.add_note(self.screens[-1])
            raise

    def wait_for_exit(self) -> int:
        """Wait until the dashboard and tmux have ended, and return the dashboard's exit code."""
        wait_until(lambda: not self.is_open, "the end of tmux")
        return int(self._exit.read_text())

    def hang_up(self) -> None:
        """Close the terminal, as a window is closed."""
        self._tmux("kill-server")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()

    def _tmux(self, *arguments: str) -> str:
        """Run one tmux command; one that finds no server prints nothing."""
        return subprocess.run(
            ["tmux", "-u", "-S", str(self._socket), *arguments],
            env=self._room.environment,
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
            text=True,
        ).stdout
