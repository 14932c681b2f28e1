"""Every test runs in a home of its own; the real one is never read or written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tui.domain.courier import CONFIG_DIR_VARIABLE, OUTER_SESSION_VARIABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory; nothing of an outer Claude Code session is in the environment."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for variable in (*OUTER_SESSION_VARIABLES, CONFIG_DIR_VARIABLE, "XDG_CONFIG_HOME", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return folder


@pytest.fixture
def registry(home: Path) -> Path:
    """The registry directory of that home, empty."""
    folder = home / ".claude" / "sessions"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def start_process() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start real processes that are ended after the test; by default one that only sleeps."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command or ("sleep", "600"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def pytest_configure() -> None:
    """Keep even code that runs before the first test out of the real home."""
    os.environ["HOME"] = os.devnull
    sys.dont_write_bytecode = True
    # Started in the background, a shell has its children ignore it, and the programs under test would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
