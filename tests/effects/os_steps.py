"""Stepping in between a settings update and the operating system, call by call."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

OS_CALLS = (
    *("open", "stat", "fstat", "write", "fsync", "fchmod", "fchown", "replace", "unlink", "scandir", "readlink"),
    *(name for name in ("listxattr", "getxattr", "setxattr") if hasattr(os, name)),
)


def step_in(before: Callable[[str, tuple[Any, ...]], None], put: Callable[[Any, str, Any], None]) -> None:
    """Have `before(name, arguments)` called ahead of each call; `put` is `setattr`, or monkeypatch's."""
    for owner, name in (*((os, name) for name in OS_CALLS), (fcntl, "flock")):
        put(owner, name, _watched(name, getattr(owner, name), before))


def _watched(name: str, real: Callable[..., Any], before: Callable[[str, tuple[Any, ...]], None]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        before(name, arguments)
        return real(*arguments, **options)

    return call


class Countdown:
    """Acts ahead of the call number `step`, from 0, and notes which calls there were."""

    def __init__(self, step: int, act: Callable[[], None]) -> None:
        self.calls: list[str] = []
        self._step = step
        self._act = act

    def __call__(self, name: str, _arguments: tuple[Any, ...]) -> None:
        self.calls.append(name)
        if len(self.calls) == self._step + 1:
            self._act()

    @property
    def acted_at(self) -> str | None:
        """The call that it acted ahead of; None when there were fewer."""
        return self.calls[self._step] if len(self.calls) > self._step else None
