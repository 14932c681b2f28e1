"""Couriers end: by themselves or by time, and nothing of their group is left."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest

from tests.courier_lines import INIT, PLAN, called, line, recorded, result
from tests.effects.stub_claude import SENT_LINES, StubClaude
from tui.domain.delivery import Cause, Outcome

SOON = replace(PLAN, timeout=0.4)


@pytest.mark.parametrize(
    "hanging",
    [
        "sleep 600 & exec sleep 600",  # a grandchild of the same group holds the pipe
        "trap '' TERM; sleep 600 & sleep 600 & wait; wait",  # SIGTERM is ignored by all
        "sleep 600 | sleep 600",
    ],
)
async def test_after_its_time_the_whole_group_is_ended_and_reaped(claude: StubClaude, hanging: str) -> None:
    claude.install(hanging)
    began = time.monotonic()
    delivery = await claude.run(SOON)
    assert 0.4 <= time.monotonic() - began < 2.4
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.TIMEOUT)
    assert "0.4 seconds" in delivery.message
    assert claude.last.exit_code is None
    assert await claude.nothing_is_left()


async def test_a_grandchild_that_left_the_group_is_not_waited_for(claude: StubClaude) -> None:
    claude.install("setsid sh -c 'echo $$ >$NOTES/stray; exec sleep 600' & exec sleep 600")
    began = time.monotonic()
    try:
        delivery = await claude.run(SOON)
        assert time.monotonic() - began < 2.4
        assert delivery.cause is Cause.TIMEOUT
        assert await claude.nothing_is_left()
    finally:
        os.kill(int(claude.note("stray")), signal.SIGKILL)


async def test_a_result_counts_although_a_grandchild_holds_the_output(claude: StubClaude) -> None:
    stray = "setsid sh -c 'echo $$ >$NOTES/stray; exec sleep 600' & while [ ! -s $NOTES/stray ]; do :; done"
    claude.install_printing(*SENT_LINES, then=f"{stray}")
    began = time.monotonic()
    try:
        delivery = await claude.run()
        assert delivery.outcome is Outcome.SENT
        assert claude.last.exit_code == 0
        assert time.monotonic() - began < 2
        assert await claude.nothing_is_left()
    finally:
        os.kill(int(claude.note("stray")), signal.SIGKILL)


async def test_a_word_from_a_program_that_hangs_then_is_unknown_and_not_safe_to_retry(claude: StubClaude) -> None:
    claude.install_printing(line(result("SENT")), then="sleep 600 & exec sleep 600")
    delivery = await claude.run()
    assert delivery.outcome is Outcome.UNKNOWN
    assert "before you send it again" in delivery.hint
    assert await claude.nothing_is_left()


async def test_a_call_that_is_printed_while_it_is_ended_is_seen(claude: StubClaude) -> None:
    (claude.folder / "last").write_bytes(line(called()) + b"\n" + line(result())[:40])
    claude.install(f"trap \"cat '{claude.folder}/last'; exit\" TERM; echo '{line(INIT).decode()}'; sleep 600 & wait")
    delivery = await claude.run(SOON)
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, Cause.TIMEOUT)
    assert claude.last.stream.is_damaged  # its last line was cut off


async def test_a_notice_ends_it_at_once_and_before_it_takes_another_turn(claude: StubClaude) -> None:
    lines = recorded("held")
    at = next(at for at, each in enumerate(lines) if b"held by the receiving" in each)
    (claude.folder / "output").write_bytes(b"\n".join(lines[: at + 1]) + b"\n")
    claude.install(f"""
        exec 3<&0
        trap 'echo TERM >$NOTES/asked; exit' TERM
        (cat <&3; echo closed >$NOTES/closed) &
        cat '{claude.folder}/output'
        wait
    """)
    delivery = await claude.run(replace(PLAN, text="held text"))
    assert delivery.outcome is Outcome.HELD_BY_PEER
    assert claude.last.seconds < 1.5
    assert claude.note("asked") == "TERM\n"
    assert not claude.has_note("closed")  # it was not let go on by itself
    assert await claude.nothing_is_left()


async def test_a_notice_within_the_grace_is_heard(claude: StubClaude) -> None:
    notice = next(each for each in recorded("refused") if b"message refused" in each).decode().replace("'", "")
    claude.install_printing(*SENT_LINES, then=f"sleep 0.3; echo '{notice}'; cat >/dev/null")
    assert (await claude.run()).outcome is Outcome.REFUSED_BY_PEER


async def test_an_account_that_the_api_refuses_is_not_waited_for(claude: StubClaude) -> None:
    claude.install_printing(*recorded("error_401")[:5], then="exec sleep 600")
    delivery = await claude.run()
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.LOGIN)
    assert claude.last.seconds < 2
    assert await claude.nothing_is_left()
