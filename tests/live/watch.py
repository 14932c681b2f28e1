"""A running `peerdeck watch --json`, read line by line."""

from __future__ import annotations

import json
import signal
import threading
from typing import TYPE_CHECKING, Any, Self

from tests.waiting import wait_until

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from tests.live.room import Room

Event = dict[str, Any]


class Watch:
    """The events so far, and waiting for the next."""

    def __init__(self, room: Room) -> None:
        self.events: list[Event] = []
        self._process = room.open_peerdeck("watch", "--json")
        self._reader = threading.Thread(target=self._read, args=(self._process,))
        self._reader.start()

    def changes(self, pid: int, key: str) -> list[Any]:
        """Return the values that a fact of one peer took since the start, in their order."""
        return [
            event["changed"][key][1]
            for event in self.events
            if event["event"] == "changed" and event["peer"]["pid"] == pid and key in event["changed"]
        ]

    def wait_for(self, wanted: Callable[[Event], bool]) -> Event:
        """Wait for an event, those so far included."""
        return wait_until(lambda: next(filter(wanted, self.events), {}), "the wanted event")

    def wait_for_peers(self, count: int) -> None:
        """Wait until it has shown as many peers as there are."""
        wait_until(lambda: sum(event["event"] == "added" for event in self.events) >= count, f"{count} peers")

    def interrupt(self) -> int:
        """Press ctrl+c and return the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._reader.join()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        for line in process.stdout:
            self.events.append(json.loads(line))
