"""Fixtures for what touches the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.effects.settings_room import SettingsRoom

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def room(tmp_path: Path) -> SettingsRoom:
    """A config directory without settings."""
    return SettingsRoom(tmp_path / "claude")
