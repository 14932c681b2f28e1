"""Couriers that are cancelled: by their user, with their task, or with all the program."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.courier_lines import INIT, line
from tests.effects.stub_claude import SENT_LINES, StubClaude, children, comes_about, group_is_gone, was_reaped
from tui.domain.courier_stream import Stage
from tui.domain.delivery import Cause, Outcome
from tui.domain.verdict import CourierEnd, NotStarted

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.domain.delivery import Delivery

# Two processes of one group that note SIGTERM and do not obey it.
NOTING = f"""#!{sys.executable} -IS
import os, signal, sys
def note(name, text):
    os.write(os.open(os.environ["NOTES"] + "/" + name, os.O_CREAT | os.O_APPEND | os.O_WRONLY), text + b"\\n")
note("pid", b"%d" % os.getpid())
who = b"leader" if os.fork() else b"child"
def asked(*_):
    note("asked", who)
signal.signal(signal.SIGTERM, asked)
note("ready", who)
while True:
    signal.pause()
"""


async def noting(claude: StubClaude) -> tuple[asyncio.Future[Delivery], asyncio.Event]:
    """Start a courier that is `NOTING`, and wait until both its processes do."""
    claude.install(NOTING)
    cancel = asyncio.Event()
    running = asyncio.ensure_future(claude.run(cancel=cancel))
    assert await comes_about(lambda: claude.has_note("ready") and len(claude.note("ready").split()) == 2)
    return running, cancel


async def test_every_process_of_the_group_is_asked_to_end_before_it_is_made_to(claude: StubClaude) -> None:
    running, cancel = await noting(claude)
    cancel.set()
    await running
    assert sorted(claude.note("asked").split()) == ["child", "leader"]
    assert await claude.nothing_is_left()


async def test_a_cancelled_letter_never_starts_a_courier(claude: StubClaude) -> None:
    claude.install("echo ran >$NOTES/ran")
    cancel = asyncio.Event()
    cancel.set()
    delivery = await claude.run(cancel=cancel)
    assert isinstance(claude.runs[-1], NotStarted)
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, Cause.CANCELLED)
    assert "nothing was sent" in delivery.message
    assert not claude.has_note("ran")


async def cancelled_when(claude: StubClaude, ready: Callable[[Stage], bool]) -> Delivery:
    """Run, cancel at the first stage that is `ready`, and check that nothing is left."""
    cancel = asyncio.Event()
    began = time.monotonic()
    delivery = await claude.run(cancel=cancel, on_stage=lambda stage: cancel.set() if ready(stage) else None)
    assert time.monotonic() - began < 3
    assert await claude.nothing_is_left()
    return delivery


async def test_a_silent_courier_that_is_cancelled_may_have_sent_it(claude: StubClaude) -> None:
    claude.install("sleep 77 & exec sleep 78")
    cancel = asyncio.Event()
    running = asyncio.ensure_future(claude.run(cancel=cancel))
    assert await comes_about(lambda: claude.has_note("pid"))
    cancel.set()
    delivery = await running
    assert (delivery.outcome, delivery.cause) == (Outcome.UNKNOWN, Cause.CANCELLED)
    assert "may have been sent" in delivery.message
    assert await claude.nothing_is_left()


@pytest.mark.parametrize(
    ("stage", "outcome"),
    [
        (Stage.LOOKING, Outcome.DELIVERY_FAILED),
        (Stage.SENDING, Outcome.UNKNOWN),
        (Stage.DECIDING, Outcome.SENT),
    ],
)
async def test_what_was_seen_before_the_cancellation_counts(claude: StubClaude, stage: Stage, outcome: Outcome) -> None:
    shown = {Stage.LOOKING: 1, Stage.SENDING: 3, Stage.DECIDING: 5}[stage]
    claude.install(f"cat '{claude.folder}/output'; exec sleep 600")
    (claude.folder / "output").write_bytes(b"".join(each + b"\n" for each in SENT_LINES[:shown]))
    delivery = await cancelled_when(claude, stage.__eq__)
    assert claude.last.end is CourierEnd.CANCELLED
    assert delivery.outcome is outcome
    assert "may have been sent" in delivery.message or outcome is not Outcome.UNKNOWN


async def test_a_signal_that_comes_after_the_answer_changes_nothing(claude: StubClaude) -> None:
    claude.install_printing(*SENT_LINES)
    cancel = asyncio.Event()
    delivery = await claude.run(cancel=cancel)
    cancel.set()
    assert delivery.outcome is Outcome.SENT
    assert claude.last.end is CourierEnd.ANSWERED


async def test_a_cancelled_task_leaves_no_process(claude: StubClaude) -> None:
    claude.install("sleep 600 & exec sleep 600")
    courier = claude.courier()
    running = asyncio.ensure_future(claude.run(courier=courier))
    assert await comes_about(lambda: claude.has_note("pid") and bool(courier.pids))
    assert courier.pids == {int(claude.note("pid"))}
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert courier.pids == set()
    assert await claude.nothing_is_left()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("rounds", range(8))
async def test_a_task_that_is_cancelled_while_it_starts_leaves_no_process(claude: StubClaude, rounds: int) -> None:
    claude.install("exec sleep 600")
    before = children()
    running = asyncio.ensure_future(claude.run())
    for _ in range(rounds):
        await asyncio.sleep(0)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert await comes_about(lambda: children() == before)


async def test_a_second_cancellation_kills_what_ignores_the_first(claude: StubClaude) -> None:
    running, _ = await noting(claude)
    running.cancel()
    assert await comes_about(lambda: claude.has_note("asked"))
    running.cancel()
    began = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert time.monotonic() - began < 0.5
    group = int(claude.note("pid"))
    assert await group_is_gone(group)
    assert await comes_about(lambda: was_reaped(group))


async def test_an_error_in_who_is_told_of_the_stages_leaves_no_process(claude: StubClaude) -> None:
    claude.install(f"echo '{line(INIT).decode()}'; exec sleep 600")

    def fail(stage: Stage) -> None:
        if stage is Stage.LOOKING:
            raise LookupError(stage)

    with pytest.raises(LookupError):
        await claude.run(on_stage=fail)
    assert await claude.nothing_is_left()


async def test_two_couriers_run_at_once_and_end_apart(claude: StubClaude) -> None:
    claude.install("echo $$ >>$NOTES/pids; exec sleep 600")
    courier, first, second = claude.courier(), asyncio.Event(), asyncio.Event()
    runs = [asyncio.ensure_future(claude.run(courier=courier, cancel=cancel)) for cancel in (first, second)]
    assert await comes_about(
        lambda: claude.has_note("pids") and len(claude.note("pids").split()) == len(courier.pids) == 2
    )
    assert courier.pids == set(map(int, claude.note("pids").split()))
    first.set()
    await runs[0]
    (left,) = courier.pids
    os.kill(left, 0)
    second.set()
    await runs[1]
    assert courier.pids == set()
