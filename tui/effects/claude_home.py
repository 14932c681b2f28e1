"""Where Claude Code keeps its registry and settings: one knob, and nothing is created by looking."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui.domain.courier import CONFIG_DIR_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ClaudeHome:
    """One config directory. Records, settings and couriers all use it."""

    config_dir: Path
    """Absolute unless the current directory is gone; it need not exist."""
    is_default: bool
    """It is `~/.claude` and no variable says so: a courier finds it without being told."""

    @property
    def registry(self) -> Path:
        """The directory of the live sessions' records."""
        return self.config_dir / "sessions"


def find_claude_home(option: str | None, environment: Mapping[str, str]) -> ClaudeHome:
    """Find the config directory: the option, else `CLAUDE_CONFIG_DIR` unless empty, else `~/.claude`.

    Like Claude Code itself, this takes a `~` in the variable as it is and a relative path from the current directory.
    """
    default = Path(os.path.expanduser("~")) / ".claude"  # noqa: PTH111 - Path.expanduser raises without a home
    chosen = option or environment.get(CONFIG_DIR_VARIABLE)
    config_dir = _absolute(chosen) if chosen else default
    return ClaudeHome(config_dir, is_default=config_dir == default and not environment.get(CONFIG_DIR_VARIABLE))


def _absolute(path: str) -> Path:
    """Return `path` from the root on, its links as they are named; as it is where the current directory is gone."""
    try:
        return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links
    except OSError:
        return Path(path)
