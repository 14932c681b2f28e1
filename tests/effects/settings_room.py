"""A config directory to update settings in, and the processes that do it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tui.domain.inbound import InboundPolicy, InboundSettings, SettingsError
from tui.effects.settings_file import SettingsFile

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT = Path(__file__).parents[2]
BEFORE = '{\n  "theme": "dark",\n  "crossSessionInbound": "hold"\n}\n'
AFTER = BEFORE.replace("hold", "accept")
ACCEPT, HOLD, REFUSE = InboundPolicy


class SettingsRoom:
    """One config directory."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.file = folder / "settings.json"
        self.settings = SettingsFile(folder)

    def write(self, text: str | bytes = BEFORE) -> Path:
        """Write the settings in place."""
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.file

    def swap(self, text: str) -> None:
        """Write the settings as a careful program does: beside, then over the old file."""
        beside = self.folder.parent / "beside"
        beside.write_text(text)
        beside.replace(self.file)

    def text(self) -> str:
        return self.file.read_bytes().decode()

    def names(self) -> list[str]:
        """Everything in the directory."""
        return sorted(entry.name for entry in self.folder.iterdir())

    def update(self, policy: InboundPolicy | None = ACCEPT, revision: str | None = None) -> InboundSettings:
        return self.settings.update(policy, revision)

    def refusal(self, policy: InboundPolicy | None = ACCEPT, revision: str | None = None) -> SettingsError:
        """Update, which has to fail, and return how."""
        with pytest.raises(SettingsError) as caught:
            self.settings.update(policy, revision)
        assert caught.value.hint
        return caught.value


def updating(folder: Path, policy: InboundPolicy, *options: str) -> list[str]:
    """Return the command of a process that updates the settings in `folder`."""
    return [sys.executable, "-m", "tests.effects.updating", str(folder), policy, *options]


def report_of(command: list[str], env: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Run the command of `updating` and return its report; an empty one if it was killed."""
    done = subprocess.run(command, cwd=PROJECT, env=env, stdout=subprocess.PIPE, check=False, timeout=60)
    _ready, *reports = done.stdout.splitlines()
    return json.loads(reports[0]) if reports else {}
