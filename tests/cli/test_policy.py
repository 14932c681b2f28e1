"""`peerdeck policy`: the exit code and the sentence for each kind of settings file."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import peerdeck
from tui.domain.inbound import CAVEAT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def settings(home: Path) -> Path:
    """Where the settings file is to be; its directory exists."""
    (home / ".claude").mkdir()
    return home / ".claude" / "settings.json"


def test_the_policy_is_set_shown_and_reset_and_every_other_byte_stays(settings: Path) -> None:
    text = '\ufeff{\r\n\t"url":"https:\\/\\/x", "n": [1.10, 1e400, -0],\r\n\t"env": {"X":"é—漢\\ud83d"}\r\n}'
    settings.write_bytes(text.encode())
    assert "not set: the permission-mode default" in peerdeck("policy").stdout
    assert "hold: messages wait" in peerdeck("policy", "hold").stdout
    assert settings.read_bytes().decode() == text[:-3] + ',\r\n\t"crossSessionInbound": "hold"\r\n}'
    shown = json.loads(peerdeck("policy", "--json").stdout)
    assert (shown["crossSessionInbound"], shown["userAllowsAutomaticDelivery"]) == ("hold", False)
    assert peerdeck("policy", "default", "--revision", shown["revision"]).returncode == 0
    assert settings.read_bytes().decode() == text


def test_the_user_is_told_that_other_layers_may_be_stricter(settings: Path) -> None:
    assert settings.parent.exists()
    assert CAVEAT in peerdeck("policy").stderr
    assert json.loads(peerdeck("policy", "--json").stdout)["caveat"] == CAVEAT


def test_the_first_setting_makes_a_file_for_its_owner_alone(home: Path) -> None:
    done = peerdeck("policy", "refuse", "--json")
    assert json.loads(done.stdout)["crossSessionInbound"] == "refuse"
    settings = home / ".claude" / "settings.json"
    assert settings.read_text() == '{\n  "crossSessionInbound": "refuse"\n}\n'
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600


def text(content: str | bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content if isinstance(content, bytes) else content.encode())


def linked(path: Path) -> None:
    (path.parent.parent / "dotfiles.json").write_text("{}")
    path.symlink_to(path.parent.parent / "dotfiles.json")


def protected(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0o444)


def with_two_names(path: Path) -> None:
    path.write_text("{}")
    (path.parent / "other.json").hardlink_to(path)


SHAPES = [
    # what is there, the exit code of showing it, of setting it, and a word of what is said
    pytest.param(text('{ // note\n "a":1 }'), 3, 3, "line 1 column 3", id="comment"),
    pytest.param(text('{"a":"\xe9"}'.encode("latin-1")), 3, 3, "0xe9 is not UTF-8", id="latin-1"),
    pytest.param(text("{}".encode("utf-16")), 3, 3, "is not UTF-8", id="utf-16"),
    pytest.param(text(" \n"), 3, 3, "Expecting value", id="space"),
    pytest.param(text("[" * 200_000), 3, 3, "Nested too deeply", id="deep"),
    pytest.param(text("null"), 3, 1, "must be a JSON object", id="null"),
    pytest.param(text("3"), 3, 1, "must be a JSON object", id="number"),
    pytest.param(linked, 0, 1, "a link to ", id="link"),
    pytest.param(lambda path: path.symlink_to("gone"), 0, 1, "a link to gone", id="dangling"),
    pytest.param(lambda path: path.symlink_to(path.name), 3, 1, "a link to settings.json", id="loop"),
    pytest.param(lambda path: path.mkdir(), 3, 1, "a directory", id="directory"),
    pytest.param(os.mkfifo, 3, 1, "a FIFO", id="fifo"),
    pytest.param(protected, 0, 1, "read-only (mode 0444)", id="protected"),
    pytest.param(with_two_names, 0, 1, "2 names", id="hard link"),
]


def looks(path: Path) -> tuple[object, ...]:
    status = path.lstat()
    is_file = stat.S_ISREG(status.st_mode)
    return status.st_ino, status.st_mode, path.is_symlink() and path.readlink(), is_file and path.read_bytes()


@pytest.mark.parametrize(("make", "showing", "setting", "word"), SHAPES)
def test_a_file_that_cannot_be_changed_safely_is_refused_in_words_and_left_as_it_is(
    settings: Path, make: Callable[[Path], object], showing: int, setting: int, word: str
) -> None:
    make(settings)
    before = looks(settings), sorted(settings.parent.iterdir())
    shown, done = peerdeck("policy"), peerdeck("policy", "accept")
    assert (shown.returncode, done.returncode, done.stdout) == (showing, setting, "")
    assert word in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert (looks(settings), sorted(settings.parent.iterdir())) == before


@pytest.mark.parametrize("value", ["null", '["accept"]', '"accept "'])
def test_a_value_that_is_no_policy_is_shown_as_it_is_and_can_be_replaced(settings: Path, value: str) -> None:
    settings.write_text(f'{{"crossSessionInbound": {value}}}')
    shown = peerdeck("policy", "--json")
    assert (shown.returncode, shown.stdout) == (3, "")
    assert f"must be `accept`, `hold`, or `refuse`, not {value}" in shown.stderr
    assert peerdeck("policy", "default").returncode == 0
    assert settings.read_text() == "{}"


def test_an_old_revision_is_a_conflict_and_an_unreadable_directory_is_exit_code_3(settings: Path) -> None:
    settings.write_text("{}")
    done = peerdeck("policy", "accept", "--revision", "0" * 64)
    assert done.returncode == 1
    assert "settings changed while peerdeck was updating them" in done.stderr
    assert settings.read_text() == "{}"
    settings.unlink()
    settings.parent.rmdir()
    settings.parent.write_text("")
    assert [peerdeck("policy", *more).returncode for more in ((), ("accept",))] == [3, 3]


def test_what_a_killed_peerdeck_left_is_swept_at_the_next_start(settings: Path) -> None:
    settings.write_text("{}")
    stale = settings.with_name(f".peerdeck-{2**22 + 7}-0123456789abcdef.tmp")
    stale.write_text("{}")
    assert peerdeck("policy").returncode == 0
    assert sorted(path.name for path in settings.parent.glob(".*.tmp")) == []
