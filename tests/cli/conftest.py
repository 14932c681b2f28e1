"""Fixtures for the real command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.mailroom import Mailroom
from tests.effects.stub_claude import StubClaude

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def mailroom(registry: Path, tmp_path: Path, start_process: Callable[..., subprocess.Popen[bytes]]) -> Mailroom:
    """A registry with one session that can be written to; there is no courier yet."""
    folder = tmp_path / "mailroom"
    folder.mkdir()
    room = Mailroom(registry, StubClaude(folder), start_process)
    room.add()
    return room
