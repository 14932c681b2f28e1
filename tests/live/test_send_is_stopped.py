"""A `peerdeck send` that is stopped while its courier is on its way leaves nothing running."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests.live.stub_model import Block, Order, obey
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.live.room import Room


def think_first(order: Order) -> Block:
    order.think()
    return obey(order)


def think_last(order: Order) -> Block:
    if len(order.results) == 2:
        order.think()
    return obey(order)


def stop(room: Room, text: str, number: signal.Signals) -> tuple[int, str]:
    """Stop a send while the model thinks; return its exit code and what it printed."""
    with room.open_peerdeck("send", "--json", "alpha", text) as send:
        wait_until(room.model.thinking.is_set, "the courier's question to the model")
        assert len(room.strangers()) > 1  # peerdeck itself, and its courier
        assert room.courier_records()
        send.send_signal(number)
        output, _ = send.communicate(timeout=20)
    return send.returncode, output.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_before_the_message_was_handed_over_ends_the_courier(room: Room, number: signal.Signals) -> None:
    room.model.conduct = think_first
    code, output = stop(room, f"{number.name} first", number)
    assert room.strangers() == []
    assert room.courier_records() == []
    assert code == 128 + number
    assert '"outcome": "delivery_failed"' in output
    assert '"cause": "cancelled"' in output
    assert f"{number.name} first" not in room.sessions["alpha"].received


def test_a_signal_after_the_message_was_handed_over_says_that_it_may_have_been_sent(room: Room) -> None:
    room.model.conduct = think_last
    code, output = stop(room, "too late", signal.SIGINT)
    assert room.strangers() == []
    assert room.courier_records() == []
    assert code == 128 + signal.SIGINT
    assert '"outcome": "unknown"' in output
    wait_until(lambda: "too late" in room.sessions["alpha"].received, "the text in the transcript")


def test_a_courier_ends_when_its_peerdeck_is_killed(room: Room) -> None:
    room.model.conduct = think_first
    code, _ = stop(room, "killed", signal.SIGKILL)
    assert code == -signal.SIGKILL
    wait_until(lambda: not room.strangers(), "the end of the courier")
    wait_until(lambda: not room.courier_records(), "the end of its record")
    assert "killed" not in room.sessions["alpha"].received
