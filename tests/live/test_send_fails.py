"""What `peerdeck send` says when the model or its API does not do what it should: never that it was sent."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.live.stub_model import ApiFailure, Block, Conduct, Order, obey, say, tool_call

if TYPE_CHECKING:
    from tests.live.room import Room


def lie(order: Order) -> Block:
    return say("SENT") if order.results else obey(order)


def lie_at_once(_: Order) -> Block:
    return say("SENT")


def paraphrase(order: Order) -> Block:
    return obey(replace(order, text=f"In short: {order.text}"))


def write_to_another(order: Order) -> Block:
    return obey(replace(order, name="gamma"))


def write_to_nobody(order: Order) -> Block:
    if len(order.results) == 1:
        return tool_call("SendMessage", to="nobody", summary="relayed", message=order.text)
    return obey(order)


def send_twice(order: Order) -> Block:
    if len(order.results) == 2:
        return tool_call("SendMessage", to=order.name, summary="relayed", message=order.text + " again")
    return obey(order)


def chat(_: Order) -> Block:
    return say("What a nice message!")


def look_away(order: Order) -> Block:
    return say("NOT_FOUND") if order.results else obey(order)


@pytest.mark.parametrize(
    ("conduct", "outcome", "cause"),
    [
        (lie, "delivery_failed", "nothing_sent"),
        (lie_at_once, "delivery_failed", "nothing_sent"),
        (chat, "delivery_failed", "nothing_sent"),
        (look_away, "delivery_failed", "peer_not_listed"),
        (write_to_nobody, "delivery_failed", "send_failed"),
        (paraphrase, "unknown", "text_altered"),
        (write_to_another, "unknown", "wrong_target"),
        (send_twice, "unknown", "sent_repeatedly"),
    ],
)
def test_a_model_that_does_not_obey_is_seen_through(room: Room, conduct: Conduct, outcome: str, cause: str) -> None:
    room.model.conduct = conduct
    text = f"when they {getattr(conduct, '__name__', '')}"
    finished = room.send("alpha", text)
    assert (finished.json["outcome"], finished.json["cause"], finished.json["verified"]) == (outcome, cause, False)
    assert finished.code == (1 if outcome == "delivery_failed" else 4)
    if outcome == "delivery_failed":
        assert text not in room.sessions["alpha"].received


def test_a_refused_account_fails_within_seconds(room: Room) -> None:
    room.model.failure = ApiFailure(401, "authentication_error", "invalid x-api-key")
    began = time.monotonic()
    finished = room.send("alpha", "with a bad key")
    assert time.monotonic() - began < 10  # the program itself would go on for three minutes
    assert finished.code == 1
    assert (finished.json["outcome"], finished.json["cause"]) == ("delivery_failed", "login")


def test_an_unknown_model_fails(room: Room) -> None:
    room.model.failure = ApiFailure(404, "not_found_error", "model: no-such-model")
    finished = room.send("alpha", "with no model", "--model", "no-such-model")
    assert finished.code == 1
    assert (finished.json["outcome"], finished.json["cause"]) == ("delivery_failed", "model")


def test_an_overloaded_api_fails_at_the_time_out(room: Room) -> None:
    room.model.failure = ApiFailure(529, "overloaded_error", "Overloaded")
    finished = room.send("alpha", "in a crowd", "--timeout", "3")
    assert finished.code == 1
    assert (finished.json["outcome"], finished.json["cause"]) == ("delivery_failed", "overload")
    assert finished.json["seconds"] == pytest.approx(3, abs=2)
