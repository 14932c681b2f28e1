"""Streams as nobody wants them: closed, full, and of a locale that cannot spell what is printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from tests.cli.mailroom import KEEPING, NAME
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.mailroom import Mailroom

VERBS: Final = {
    "list": (("list", "--all"), 0),
    "policy": (("policy", "accept", "--json"), 0),
    "doctor": (("doctor",), 1),
    "send": (("send", NAME, "hello"), 0),
    "send to nobody": (("send", "nobody"), 1),
    "dashboard": ((), 2),
}
every_verb = pytest.mark.parametrize(("arguments", "code"), VERBS.values(), ids=VERBS)
every_printing_verb = pytest.mark.parametrize(("arguments", "code"), [each for each in VERBS.values() if each[0]])
PLAIN_C: Final = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

Started = subprocess.Popen[bytes]


def start(room: Mailroom, arguments: tuple[str, ...], redirection: str, **environment: str) -> Started:
    """Start `peerdeck` as a shell would with this redirection."""
    return subprocess.Popen(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "tui", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | room.environment | environment,
    )


def finish(process: Started) -> tuple[int, str, str]:
    output, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors, errors.decode()
    assert b"Exception ignored" not in errors, errors.decode()
    return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")


@every_verb
def test_a_closed_stream_changes_nothing_but_what_would_go_through_it(
    mailroom: Mailroom, arguments: tuple[str, ...], code: int
) -> None:
    mailroom.claude.install(KEEPING)
    redirections = ("", "<&-", ">&-", "2>&-", "<&- >&- 2>&-")
    plain, no_input, no_output, no_errors, nothing = map(
        finish, [start(mailroom, arguments, redirection) for redirection in redirections]
    )
    assert plain[0] == no_input[0] == no_output[0] == no_errors[0] == nothing[0] == code
    assert no_output[1] == nothing[1] == no_errors[2] == nothing[2] == ""
    assert bool(no_errors[1]) is bool(plain[1])
    assert "peerdeck:" not in no_errors[1]
    assert bool(no_output[2]) is bool(plain[2])


@every_printing_verb
def test_output_that_cannot_be_written_is_said_and_errors_that_cannot_are_lost(
    mailroom: Mailroom, arguments: tuple[str, ...], code: int
) -> None:
    mailroom.claude.install(KEEPING)
    full_output, full_errors = map(finish, [start(mailroom, arguments, f"{to}>/dev/full") for to in ("", "2")])
    assert full_errors[0] == code
    # That of send says what became of the message.
    assert full_output[0] == (code if arguments[0] == "send" else 1)
    assert "the output cannot be written: No space left on device" in full_output[2]


def test_a_reader_that_goes_away_does_not_hide_what_became_of_the_message(mailroom: Mailroom) -> None:
    mailroom.claude.install(KEEPING)
    for arguments, code in (((NAME, "hello"), 0), (("nobody", "hello"), 1)):
        read_end, write_end = os.pipe()
        os.close(read_end)
        command = [sys.executable, "-m", "tui", "send", *arguments]
        environment = os.environ | mailroom.environment
        done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, env=environment, check=False)
        os.close(write_end)
        assert done.returncode == code
        assert b"Traceback" not in done.stderr


@every_printing_verb
def test_a_locale_without_utf_8_costs_some_characters_and_nothing_else(
    mailroom: Mailroom, arguments: tuple[str, ...], code: int
) -> None:
    mailroom.claude.install(KEEPING)
    mailroom.add("naïve 漢字", cwd="/é")
    (mailroom.registry / "é.json").touch()
    ascii_only, utf_8 = map(finish, [start(mailroom, arguments, "", **locale) for locale in (PLAIN_C, {})])
    assert ascii_only[0] == utf_8[0] == code
    assert ascii_only[1].isascii()
    if arguments != ("doctor",):  # which says that the locale is not the one to have
        assert len(ascii_only[1].splitlines()) == len(utf_8[1].splitlines())


def test_watch_goes_on_in_a_locale_without_utf_8(mailroom: Mailroom, tmp_path: Path) -> None:
    out = tmp_path / "watched"
    with start(mailroom, ("watch",), f">'{out}'", **PLAIN_C) as watching:
        pid = mailroom.add("漢字", status="idle")
        wait_until(lambda: out.exists() and f"?? (pid {pid}): idle" in out.read_text(), "the new session")
        record = mailroom.registry / f"{pid}.json"
        record.write_text(json.dumps(json.loads(record.read_text()) | {"name": "é", "status": "busy"}))
        wait_until(lambda: f"? (pid {pid}): name ?? ? ?, status idle ? busy\n" in out.read_text(), "the change")
        watching.terminate()
        assert watching.communicate(timeout=60)[1] == b""


@pytest.mark.parametrize("source", ["0>/dev/null", "</"])
def test_input_that_cannot_be_read_is_told_without_a_traceback(mailroom: Mailroom, source: str) -> None:
    code, output, errors = finish(start(mailroom, ("send", NAME), source))
    assert code != 0
    assert output == ""
    assert errors


def test_a_log_that_fills_up_or_that_nobody_reads_is_no_reason_to_fail_or_to_wait(
    mailroom: Mailroom, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "fifo")
    full, unread, unnamed = (
        finish(start(mailroom, ("list", "--log", name), "")) for name in ("/dev/full", str(tmp_path / "fifo"), "")
    )
    assert (full[0], full[2]) == (0, "")
    assert (unread[0], unnamed[0]) == (2, 2)
    assert "cannot be written" in unread[2]
