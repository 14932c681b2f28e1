"""`peerdeck send`: what reaches the courier, what is printed, and with which exit code it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.mailroom import KEEPING, NAME
from tests.courier_lines import INIT, called, line, result, said
from tui.domain.courier import CONFIG_DIR_VARIABLE, MESSAGE_LIMIT, OUTER_SESSION_VARIABLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.mailroom import Mailroom


def test_a_message_that_was_handed_over_is_told_as_sent_with_whom_it_went_to(mailroom: Mailroom) -> None:
    mailroom.claude.install(KEEPING)
    code, outcome, cause, facts = mailroom.send(NAME, "hello")
    assert (code, outcome, cause, facts["verified"]) == (0, "sent", None, True)
    assert list(facts) == [
        "outcome", "message", "target", "verified", "courierReport", "costUsd", "seconds", "cause", "hint",
    ]  # fmt: skip
    assert facts["target"]["name"] == NAME
    assert [(name, text) for name, text, _ in mailroom.received] == [(NAME, "hello")]


@pytest.mark.parametrize(
    ("arguments", "typed", "text"),
    [
        (("--", "---\na: b\n---"), b"", "---\na: b\n---"),
        (("- [ ] item",), b"", "- [ ] item"),
        (("-",), "é\r\n\r\n".encode(), "é\r\n"),
        (("-",), b"\x00\x1b[2J", "\x00\x1b[2J"),
    ],
)
def test_a_text_is_the_argument_or_what_is_typed_less_one_line_end(
    mailroom: Mailroom, arguments: tuple[str, ...], typed: bytes, text: str
) -> None:
    mailroom.claude.install(KEEPING)
    code, outcome, _, _ = mailroom.send(NAME, *arguments, text=typed)
    assert (code, outcome, [received for _, received, _ in mailroom.received]) == (0, "sent", [text])


def prints(*events: Any) -> str:
    return "".join(f"cat <<'END'\n{line(event).decode()}\nEND\n" for event in events)


@pytest.mark.parametrize(
    ("script", "code", "outcome", "cause"),
    [
        (None, 1, "delivery_failed", "program_not_found"),
        ("echo \"error: unknown option '--safe-mode'\" >&2; exit 1", 1, "delivery_failed", "flag_unknown"),
        (prints(INIT, result("Please run /login", is_error=True)), 1, "delivery_failed", "login"),
        (prints(INIT, said("SENT"), result("SENT")), 1, "delivery_failed", "nothing_sent"),
        (prints(result("SENT")), 4, "unknown", "unconfirmed"),
        (prints(INIT, called(to=NAME)), 4, "unknown", "text_altered"),
    ],
    ids=["no program", "old", "login", "lie", "word", "paraphrase"],
)
def test_the_exit_code_tells_what_failed_from_what_may_have_been_sent(
    mailroom: Mailroom, script: str | None, code: int, outcome: str, cause: str
) -> None:
    if script is not None:
        mailroom.claude.install(script)
    *told, facts = mailroom.send(NAME, "hello")
    assert told == [code, outcome, cause]
    assert facts["hint"]


def test_a_session_that_cannot_be_written_to_is_refused_before_any_courier(mailroom: Mailroom) -> None:
    mailroom.claude.install(KEEPING)
    elsewhere = "linux:other-host:pid:[4026532999]"
    mailroom.add("parked", parkedJobId="ca11ab1e")
    mailroom.add("far", pidDomain=elsewhere, cwd=r"C:\work\a", messagingSocketPath=r"\\.\pipe\claude")
    mailroom.add("deaf", messagingSocketPath="")
    mailroom.add("over", procStart="1")
    mailroom.add("peerdeck", entrypoint="sdk-cli")
    mailroom.add("twin")
    mailroom.add("Twin ")
    expected = {
        "parked": ("not_live", "parked"),
        "far": ("not_live", "elsewhere"),
        "deaf": ("not_live", "unreachable"),
        "over": ("not_live", "no_such_session"),
        "peerdeck": ("not_live", "courier"),
        "twin": ("identity_mismatch", "ambiguous_name"),
        "nobody": ("not_live", "no_such_session"),
    }
    assert {target: mailroom.send(target, "hello")[:3] for target in expected} == {
        target: (1, *told) for target, told in expected.items()
    }
    assert mailroom.received == []


def test_a_target_of_control_characters_is_shown_with_stand_ins(mailroom: Mailroom) -> None:
    done = mailroom.run("send", "a\x1b]0;owned\x07\n\u202e", "hello")
    assert done.returncode == 1
    assert "`a␛]0;owned␇␊\N{REPLACEMENT CHARACTER}`" in done.stdout


def test_an_unreadable_registry_is_exit_code_3_and_no_empty_registry(mailroom: Mailroom) -> None:
    mailroom.registry.rename(mailroom.registry.with_name("moved"))
    mailroom.registry.write_text("")
    assert mailroom.send(NAME, "hello")[:3] == (3, "delivery_failed", "registry_unreadable")


def test_nothing_of_an_outer_session_is_in_the_couriers_environment_nor_is_the_text(mailroom: Mailroom) -> None:
    mailroom.claude.install(KEEPING)
    outer = dict.fromkeys(OUTER_SESSION_VARIABLES, "1")
    mailroom.send(NAME, "the text", HTTPS_PROXY="http://proxy:3128", ANTHROPIC_BASE_URL="http://x", **outer)
    ((_, text, environment),) = mailroom.received
    assert not environment.keys() & outer.keys()
    assert text not in " ".join(environment.values())
    assert environment["HTTPS_PROXY"] == "http://proxy:3128"
    assert environment["ANTHROPIC_BASE_URL"] == "http://x"
    assert CONFIG_DIR_VARIABLE not in environment


@pytest.mark.parametrize("is_option", [True, False], ids=["option", "variable"])
def test_records_settings_and_courier_use_one_config_directory(
    mailroom: Mailroom, tmp_path: Path, is_option: bool
) -> None:
    mailroom.claude.install(KEEPING)
    config = tmp_path / "elsewhere"
    config.mkdir()
    mailroom.registry.rename(config / "sessions")
    option = ("--config-dir", f"{config}//") if is_option else ()
    variable = {} if is_option else {CONFIG_DIR_VARIABLE: f"{config}/"}
    assert mailroom.send(*option, NAME, "hello", **variable)[:2] == (0, "sent")
    assert mailroom.received[0][2][CONFIG_DIR_VARIABLE] == str(config)
    assert mailroom.run("policy", "hold", *option, **variable).returncode == 0
    assert json.loads((config / "settings.json").read_text()) == {"crossSessionInbound": "hold"}


def test_a_text_without_end_is_refused_once_it_is_too_long(mailroom: Mailroom) -> None:
    mailroom.claude.install(KEEPING)
    longest = "\N{GRINNING FACE}" * MESSAGE_LIMIT
    assert mailroom.send(NAME, text=longest)[:2] == (0, "sent")
    assert mailroom.send(NAME, text=longest + "x")[:3] == (1, "delivery_failed", "message_too_long")
    with open("/dev/zero", "rb") as endless:  # noqa: PTH123
        command = [sys.executable, "-m", "tui", "send", NAME]
        done = subprocess.run(command, stdin=endless, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "takes at most 1048576" in done.stdout


def test_typed_bytes_that_are_no_text_are_wrong_usage(mailroom: Mailroom) -> None:
    done = mailroom.run("send", NAME, text=b"caf\xe9")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the message is not UTF-8" in done.stderr


def test_the_log_of_a_send_holds_neither_text_nor_name(mailroom: Mailroom, tmp_path: Path) -> None:
    mailroom.claude.install(KEEPING)
    log = tmp_path / "bug.log"
    assert mailroom.run("send", NAME, "the secret text", "--log", str(log)).returncode == 0
    assert "send" in log.read_text()
    assert not [word for word in ("secret", NAME, "proj") if word in log.read_text()]
