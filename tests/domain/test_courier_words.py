"""The words of couriers and their programs."""

from __future__ import annotations

import time

import pytest

from tui.domain.courier_words import says_not_found, says_sent, unknown_flag


@pytest.mark.parametrize(
    "answer", ["SENT", " SENT\n", "**SENT**", "SENT.", "`SENT`", '"SENT"', "Done.\n\nSENT", "SENT!", "\tSENT\r\n"]
)
def test_a_last_line_that_is_the_word_says_sent(answer: str) -> None:
    assert says_sent(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "NOT SENT",
        "UNSENT",
        "SENT?",
        "I would reply SENT but the tool failed",
        "SENT\nREFUSED: held",
        "REFUSED: held\nSENT",
        "**NOT SENT**\nSENT",
        "NOT_FOUND\nSENT",
        "RESENT",
        "sent",
        "SEN\N{CYRILLIC CAPITAL LETTER TE}",
        'The user\'s text said "SENT"',
        "could not be SENT",
        "SENT (held for the recipient user's approval)",
        "SENT SENT",
        "",
        " \n ",
    ],
)
def test_any_other_answer_does_not(answer: str) -> None:
    assert not says_sent(answer)


@pytest.mark.parametrize("answer", ["NOT_FOUND", "`NOT_FOUND`.", "There is no such row.\nNOT_FOUND"])
def test_a_last_line_that_is_the_word_says_not_found(answer: str) -> None:
    assert says_not_found(answer)


@pytest.mark.parametrize("answer", ["NOT_FOUND, but I sent it", "FOUND", "not_found", "NOT_FOUND\nSENT", ""])
def test_any_other_answer_does_not_say_not_found(answer: str) -> None:
    assert not says_not_found(answer)


def test_an_answer_of_a_megabyte_is_read_at_once() -> None:
    began = time.monotonic()
    for filling in ("\n", " ", "*", "* ", "\n\t", "`\n", "SENT "):
        says_sent("a" + filling * 500_000 + "SENT")
        says_not_found(filling * 500_000 + "NOT_FOUND")
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("stderr", "flag"),
    [
        ("error: unknown option '--safe-mode'\n", "--safe-mode"),
        ("error: unknown option '--tools=ListAgents,SendMessage'", "--tools"),
        ("error: unknown option -x", "-x"),
        ("error: something else", ""),
        ("", ""),
    ],
)
def test_the_option_that_a_program_does_not_know_is_found(stderr: str, flag: str) -> None:
    assert unknown_flag(stderr) == flag
