"""File events of a few directories, from watchfiles' own thread into the event loop."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Final

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

STEP_MS: Final = 25
"""How often watchfiles looks whether events came; one is shown after one to two steps."""

_DEBOUNCE_MS: Final = 100  # the longest that a stream of events is collected
_STOP_MS: Final = 100  # a Python stop event would be asked at every step, at a third of the whole cost


class CannotWatchError(Exception):
    """No file events are to be had; the text says why, in terms of the real limit."""


class FileEvents:
    """Watches directories, not what lies deeper, until it is closed."""

    def __init__(self, directories: Sequence[Path], on_change: Callable[[set[str]], None]) -> None:
        """Arm, then call `on_change` with the changed paths, in a thread of its own.

        Raises:
            CannotWatchError: a directory is missing, or the system has no watch left.
        """
        try:
            # The thread starts after the watch is armed: whoever scans afterwards misses nothing.
            self._notify = RustNotify(
                [os.fspath(directory) for directory in directories], False, False, 300, False, False
            )
        except UnicodeEncodeError as error:
            raise CannotWatchError("the directory's path is not UTF-8") from error
        except (OSError, WatchfilesRustInternalError) as error:
            raise CannotWatchError(_reason(str(error))) from error
        self._on_change = on_change
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="file events", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether no more events come; then it is to be closed and another one opened."""
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stop, and wait the tenth of a second until the thread has ended."""
        self._stopped = True
        self._thread.join()
        self._notify.close()

    def _run(self) -> None:
        while not self._stopped:
            try:
                changes = self._notify.watch(_DEBOUNCE_MS, STEP_MS, _STOP_MS, None)
            except WatchfilesRustInternalError:
                return  # a file was named in bytes that are no UTF-8; from then on it only raises the same again
            if isinstance(changes, set):
                self._on_change({path for _, path in changes})


def _reason(error: str) -> str:
    lowered = error.lower()
    if "open files" in lowered:
        return "no inotify instance is left (fs.inotify.max_user_instances), or no file descriptor (ulimit -n)"
    if "no space left" in lowered or "limit" in lowered:
        return "no inotify watch is left (fs.inotify.max_user_watches)"
    return error.partition(" (os error")[0]
