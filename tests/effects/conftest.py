"""Fixtures for what touches the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.effects.settings_room import SettingsRoom
from tests.effects.stub_claude import StubClaude

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def room(tmp_path: Path) -> SettingsRoom:
    """A config directory without settings."""
    return SettingsRoom(tmp_path / "claude")


@pytest.fixture
def claude(tmp_path: Path) -> StubClaude:
    """A folder for a stand-in of the `claude` program, to be run by the real courier."""
    return StubClaude(tmp_path)
