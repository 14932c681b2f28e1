"""Which program a courier is, and what is said when there is none."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tui.domain.delivery import Cause, Outcome
from tui.domain.verdict import NotStarted
from tui.effects import courier as courier_module

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.effects.stub_claude import StubClaude


async def test_the_program_is_looked_up_for_each_run_and_its_link_is_not_frozen(claude: StubClaude) -> None:
    courier = claude.courier()
    versions = claude.folder / "versions"
    for version in ("1", "2"):
        (versions / version).mkdir(parents=True)
        claude.program.unlink(missing_ok=True)
        shim = versions / version / "shim"
        shim.write_text(f"#!/bin/sh\necho ${{0##*/}} {version} >>$NOTES/versions\n")
        shim.chmod(0o755)
        claude.program.symlink_to(shim)
        await claude.run(courier=courier)
        shutil.rmtree(versions / version)
    # Called by the link's name, which is what the shims of version managers go by.
    assert claude.note("versions").splitlines() == ["claude 1", "claude 2"]


def _leave_out(_program: Path) -> None:
    """There is no such file."""


def _without_x_bit(program: Path) -> None:
    program.write_text("#!/bin/sh\n")


def _as_directory(program: Path) -> None:
    program.mkdir()


def _as_dangling_link(program: Path) -> None:
    program.symlink_to(program.parent / "gone")


def _with_missing_interpreter(program: Path) -> None:
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)


def _as_no_program(program: Path) -> None:
    program.write_bytes(b"\x00\x01\x02")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("make", "cause", "words"),
    [
        (_leave_out, Cause.PROGRAM_NOT_FOUND, "no program `claude` on PATH"),
        (_without_x_bit, Cause.PROGRAM_NOT_RUNNABLE, "is not executable"),
        (_as_directory, Cause.PROGRAM_NOT_RUNNABLE, "is a directory"),
        (_as_dangling_link, Cause.PROGRAM_NOT_RUNNABLE, "a link that leads nowhere"),
        (_with_missing_interpreter, Cause.PROGRAM_NOT_RUNNABLE, "the interpreter that its first line names is missing"),
        (_as_no_program, Cause.PROGRAM_NOT_RUNNABLE, "cannot be run"),
    ],
)
@pytest.mark.parametrize("by_path", [False, True])
async def test_each_way_of_being_no_program_is_told_apart(
    claude: StubClaude, make: Callable[[Path], None], cause: Cause, words: str, *, by_path: bool
) -> None:
    make(claude.program)
    courier = claude.courier()
    if by_path:
        courier.program = str(claude.program)
        words = words.replace("`claude` on PATH", f"`{claude.program}`")
    delivery = await claude.run(courier=courier)
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, cause)
    assert words in delivery.message
    assert delivery.hint


async def test_a_program_that_cannot_be_run_does_not_hide_one_that_can_later_on_path(claude: StubClaude) -> None:
    first = claude.folder / "first"
    (first / "claude").mkdir(parents=True)
    claude.install("echo ran >>$NOTES/ran")
    await claude.run(courier=claude.courier(PATH=f"{first}:{claude.folder}/bin:/usr/bin:/bin"))
    assert claude.has_note("ran")


async def test_a_relative_path_leads_from_where_the_user_is(
    claude: StubClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude.install("echo ran >>$NOTES/ran")
    monkeypatch.chdir(claude.folder)
    courier = claude.courier()
    courier.program = "./bin/claude"
    await claude.run(courier=courier)
    assert claude.has_note("ran")


async def test_a_hostile_path_is_shown_on_one_line(claude: StubClaude) -> None:
    courier = claude.courier()
    courier.program = "/no/\x1b]0;owned\x07\nclaude"
    assert (await claude.run(courier=courier)).message.isprintable()


async def test_an_unknown_option_is_named_with_the_version_and_never_dropped(claude: StubClaude) -> None:
    claude.install("""
        echo "$*" >>$NOTES/runs
        [ "$1" = --version ] && { cat >/dev/null; echo '1.0.3 (Claude Code)'; exit; }
        echo "error: unknown option '--safe-mode'" >&2
        exit 1
    """)
    delivery = await claude.run()
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.FLAG_UNKNOWN)
    assert "--safe-mode" in delivery.message
    assert "1.0.3 (Claude Code)" in delivery.message
    sending, asking = claude.note("runs").splitlines()
    assert "--safe-mode" in sending
    assert asking == "--version"


async def test_a_program_that_does_not_tell_its_version_is_not_waited_for(
    claude: StubClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier_module, "_VERSION_SECONDS", 0.1)
    claude.install("""
        [ "$1" = --version ] && exec sleep 600
        echo "error: unknown option '--safe-mode'" >&2
        exit 1
    """)
    delivery = await claude.run()
    assert delivery.cause is Cause.FLAG_UNKNOWN
    assert claude.last.program_version == ""


async def test_it_runs_in_the_config_directory_and_in_the_root_once_that_is_gone(claude: StubClaude) -> None:
    claude.install("pwd >>$NOTES/places")
    config = claude.folder / "config"
    await claude.run()
    config.rmdir()
    await claude.run()
    assert claude.note("places").split() == [str(config), "/"]


async def test_none_of_an_outer_session_reaches_it_and_the_users_environment_does(claude: StubClaude) -> None:
    claude.install("env >$NOTES/env")
    outer = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_JOB_DIR": "/j"}
    mine = {"HTTPS_PROXY": "http://proxy:3128", "ANTHROPIC_BASE_URL": "http://x", "CLAUDE_CODE_USE_BEDROCK": "1"}
    courier = claude.courier(**outer, **mine)
    await claude.run(courier=courier)
    seen = dict(entry.partition("=")[::2] for entry in claude.note("env").splitlines())
    shells_own = {"PWD", "OLDPWD", "SHLVL", "_"}
    assert {key: seen[key] for key in seen.keys() - shells_own} == {
        key: value for key, value in courier.environment.items() if key not in outer
    }


async def test_it_is_told_of_a_config_directory_that_it_would_not_find(claude: StubClaude) -> None:
    claude.install("echo ${CLAUDE_CONFIG_DIR-none} >>$NOTES/dirs")
    courier = claude.courier()
    await claude.run(courier=courier)
    courier.config_dir_is_default = False
    await claude.run(courier=courier)
    assert claude.note("dirs").split() == ["none", str(claude.folder / "config")]


async def test_nothing_of_the_name_and_the_text_shows_in_its_arguments(claude: StubClaude) -> None:
    claude.install('for argument; do echo "$argument" >>$NOTES/argv; done')
    await claude.run()
    arguments = claude.note("argv").splitlines()
    assert arguments[0] == "-p"
    assert "peer-b" not in claude.note("argv")
    assert "run the tests" not in claude.note("argv")


async def test_a_fork_that_the_system_refuses_is_no_crash(claude: StubClaude, monkeypatch: pytest.MonkeyPatch) -> None:
    claude.install("true")

    def refuse(*_arguments: object, **_keywords: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess._fork_exec", refuse)
    delivery = await claude.run()
    assert isinstance(claude.runs[-1], NotStarted)
    assert "Resource temporarily unavailable" in delivery.message
