from __future__ import annotations

from pathlib import Path

import pytest

from tui.effects.claude_home import find_claude_home


@pytest.mark.parametrize("environment", [{}, {"CLAUDE_CONFIG_DIR": ""}], ids=["unset", "empty"])
def test_without_the_variable_the_config_directory_is_dot_claude_in_the_home(
    home: Path, environment: dict[str, str]
) -> None:
    found = find_claude_home(None, environment)
    assert found.config_dir == home / ".claude"
    assert found.registry == home / ".claude" / "sessions"
    assert found.is_default


def test_the_variable_names_the_config_directory_and_its_tilde_is_not_expanded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for value, directory in (
        ("/etc/claude/", Path("/etc/claude")),
        ("sub", tmp_path / "sub"),
        ("~/x", tmp_path / "~" / "x"),
    ):
        found = find_claude_home(None, {"CLAUDE_CONFIG_DIR": value})
        assert found.config_dir == directory
        assert not found.is_default


def test_the_option_overrides_the_variable(home: Path) -> None:
    found = find_claude_home("/opt/claude", {"CLAUDE_CONFIG_DIR": "/etc/claude"})
    assert found.config_dir == Path("/opt/claude")
    assert find_claude_home(str(home / ".claude"), {}).is_default


def test_nothing_is_created_by_looking(home: Path) -> None:
    find_claude_home(None, {})
    assert list(home.iterdir()) == []
