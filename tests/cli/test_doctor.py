from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cli.running import peerdeck

if TYPE_CHECKING:
    from pathlib import Path


def findings(*arguments: str, **environment: str) -> dict[str, tuple[bool, str, str | None]]:
    done = peerdeck("doctor", "--json", *arguments, **environment)
    return {each["subject"]: (each["ok"], each["message"], each["hint"]) for each in json.loads(done.stdout)}


def stub_claude(folder: Path, body: str) -> str:
    program = folder / "stub-claude"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    return str(program)


def test_on_a_healthy_machine_every_line_is_ok(registry: Path, tmp_path: Path) -> None:
    assert registry.exists()
    claude = stub_claude(tmp_path, 'echo "2.1.328 (Claude Code)"')
    done = peerdeck("doctor", "--claude", claude, TERM="xterm-256color", LANG="C.UTF-8", TMUX="")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert [line.split()[:2] for line in lines] == [
        ["ok", subject]
        for subject in (
            "peerdeck", "claude", "config-dir", "registry", "watch", "process-ends", "settings", "terminal", "tmux",
        )
    ]  # fmt: skip
    assert "2.1.328 (Claude Code)" in done.stdout


def test_what_is_wrong_comes_with_what_to_do_and_exit_code_1(home: Path) -> None:
    done = peerdeck("doctor", "--claude", "no-such-claude", TERM="dumb")
    assert done.returncode == 1
    found = findings("--claude", "no-such-claude", TERM="dumb")
    for subject in ("claude", "config-dir", "registry", "terminal"):
        ok, message, hint = found[subject]
        assert not ok
        assert message
        assert hint
    assert list(home.iterdir()) == []


def test_a_program_that_does_not_run_is_named(registry: Path, tmp_path: Path) -> None:
    assert registry.exists()
    assert findings("--claude", stub_claude(tmp_path, "exit 7"))["claude"][1].endswith("--version ended with 7")


def test_settings_that_cannot_be_read_and_a_link_are_said_without_any_value(registry: Path) -> None:
    settings = registry.parent / "settings.json"
    settings.write_text('{"crossSessionInbound": "hold", "env": {"SECRET": "s3cr3t"}')
    ok, message, _ = findings()["settings"]
    assert not ok
    assert "s3cr3t" not in message
    settings.unlink()
    (registry / "elsewhere").write_text('{"crossSessionInbound": "hold"}')
    settings.symlink_to(registry / "elsewhere")
    assert findings()["settings"][1].endswith("a link, so peerdeck reads it and does not change it; the policy is set")


def test_a_directory_that_others_can_write_into_is_warned_about(registry: Path) -> None:
    registry.chmod(0o777)
    ok, message, hint = findings()["config-dir"]
    assert not ok
    assert "can be written by other users" in message
    assert hint
    assert "can be written by other users" in peerdeck("list").stderr
    registry.chmod(0o700)
    assert "other users" not in peerdeck("list").stderr
