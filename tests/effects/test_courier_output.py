"""What a courier prints: noise, halves, floods."""

from __future__ import annotations

from typing import Any

import pytest

from tests.courier_lines import INIT, PLAN, answered, called, line, result, said
from tests.effects.stub_claude import SENT_LINES, StubClaude, group_is_gone
from tui.domain.courier_stream import Stage
from tui.domain.delivery import Cause, Outcome
from tui.domain.verdict import CourierEnd


@pytest.mark.parametrize(
    "lines",
    [
        (b"[WARN] clock skew 3 s", *SENT_LINES),
        (b"Now using node v20 (npm v10)", *SENT_LINES),
        (b"\xff\xfe caf\xe9 {", *SENT_LINES, b"", b"\r"),
        (*SENT_LINES, b"Update available"),
        (b"Now using node v20", b"[" + b",".join(SENT_LINES) + b"]"),
    ],
)
async def test_noise_around_the_events_is_tolerated(claude: StubClaude, lines: tuple[bytes, ...]) -> None:
    claude.install_printing(*lines)
    delivery = await claude.run()
    assert delivery.outcome is Outcome.SENT
    assert delivery.courier_report == "SENT"


async def test_a_banner_without_a_line_end_is_tolerated(claude: StubClaude) -> None:
    claude.install_printing(*SENT_LINES, then="printf 'Update available'")
    assert (await claude.run()).outcome is Outcome.SENT


async def test_a_last_event_without_a_line_end_counts(claude: StubClaude) -> None:
    claude.install_printing(b"\n".join(SENT_LINES), end=b"")
    assert (await claude.run()).outcome is Outcome.SENT


@pytest.mark.parametrize(
    "events",
    [
        [result("SENT")],
        [result("SENT"), result("API Error: 529 Overloaded", is_error=True)],
        [[INIT, said("SENT"), {"type": "rate_limit_event"}, result("REFUSED: held")]],
        [[INIT, said("SENT")]],
        [],
    ],
)
async def test_a_word_without_a_call_is_never_sent(claude: StubClaude, events: list[Any]) -> None:
    claude.install_printing(*map(line, events))
    assert (await claude.run()).outcome is not Outcome.SENT


async def test_the_last_result_wins_although_the_first_ends_the_listening(claude: StubClaude) -> None:
    claude.install_printing(*map(line, (INIT, result("SENT"), result("Please run /login", is_error=True))))
    assert (await claude.run()).cause is Cause.LOGIN


async def test_a_result_on_stderr_only_leaves_it_open(claude: StubClaude) -> None:
    claude.install_printing(line(result("SENT")), then="")
    claude.install(claude.program.read_text().replace("cat ", "cat >&2 ", 1))
    delivery = await claude.run()
    assert delivery.outcome is Outcome.UNKNOWN
    assert "SENT" in claude.last.stderr


async def test_output_that_is_cut_at_the_size_of_a_pipe_leaves_it_open(claude: StubClaude) -> None:
    array = line([INIT, said("x" * 70_000), called(), answered(), result("SENT")])
    assert len(array) > 70_000
    claude.install_printing(array[:65_536], end=b"")
    delivery = await claude.run()
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, Cause.STREAM_BROKEN)
    assert "before you send it again" in delivery.hint


async def test_a_line_of_megabytes_is_read(claude: StubClaude) -> None:
    claude.install_printing(line(said("é" * 3_000_000)), *SENT_LINES)
    assert (await claude.run()).outcome is Outcome.SENT


@pytest.mark.parametrize("flood", ["yes", "head -c 50000000 /dev/zero | tr '\\0' x"])
async def test_fifty_megabytes_are_not_read_to_the_end(claude: StubClaude, flood: str) -> None:
    claude.install(f"{flood} | head -c 50000000; exec sleep 600")
    delivery = await claude.run()
    assert claude.last.seconds < 10
    assert claude.last.end is CourierEnd.OVERFLOWED
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, Cause.STREAM_BROKEN)
    assert await group_is_gone(int(claude.note("pid")))


async def test_of_a_chatty_stderr_the_end_is_kept_and_the_program_not_blocked(claude: StubClaude) -> None:
    claude.install("yes warning | head -c 3000000 >&2; echo the reason >&2; exit 4")
    delivery = await claude.run()
    assert "the reason" in claude.last.stderr
    assert len(claude.last.stderr) < 10_000
    assert "exit code 4" in delivery.message


async def test_the_stages_are_told_as_they_come_and_each_once(claude: StubClaude) -> None:
    claude.install_printing(*SENT_LINES)
    stages: list[Stage] = []
    await claude.run(on_stage=stages.append)
    assert stages == [Stage.STARTING, Stage.LOOKING, Stage.SENDING, Stage.DECIDING]


async def test_no_wait_for_a_notice_is_told_when_nothing_was_sent(claude: StubClaude) -> None:
    claude.install_printing(line(INIT), line(said("NOT_FOUND")), line(result("NOT_FOUND")))
    stages: list[Stage] = []
    assert (await claude.run(PLAN, on_stage=stages.append)).cause is Cause.NOT_LISTED
    assert Stage.DECIDING not in stages
