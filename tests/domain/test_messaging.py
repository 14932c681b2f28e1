"""Writing to a peer: the refusals in their order, and one courier at the most."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.building import build_peer, build_roster
from tests.courier_lines import INIT, ran, result, said
from tests.fakes import FakeCourier, FakeRosterSource
from tests.sending import SESSION, send
from tui.domain.courier import courier_arguments
from tui.domain.courier_stream import Stage
from tui.domain.delivery import Cause, Outcome
from tui.domain.messaging import Letter, message_peer
from tui.domain.peers import Liveness
from tui.domain.roster import RegistryState
from tui.domain.verdict import CourierEnd, NotStarted

ONE = build_roster(build_peer(7, name="peer-live"))


async def test_a_persisted_only_session_refuses_with_not_live() -> None:
    courier = FakeCourier()
    gone = build_peer(7, name="peer-gone", liveness=Liveness.GONE)
    delivery = await send(FakeRosterSource(build_roster(absent=(gone,))), courier)
    assert (delivery.outcome, delivery.cause) == (Outcome.NOT_LIVE, Cause.NO_SESSION)
    assert delivery.outcome.value == "not_live"
    assert "its transcript is persisted only" in delivery.message
    assert courier.plans == []


async def test_a_name_shared_by_two_live_sessions_refuses_instead_of_guessing() -> None:
    courier = FakeCourier()
    roster = build_roster(build_peer(7, name="peer-shared"), build_peer(8, name="peer-shared"))
    delivery = await send(FakeRosterSource(roster), courier)
    assert (delivery.outcome, delivery.cause) == (Outcome.IDENTITY_MISMATCH, Cause.AMBIGUOUS)
    assert delivery.outcome.value == "identity_mismatch"
    assert "peer-shared" in delivery.message
    assert courier.plans == []


async def test_delivery_spawns_the_least_privilege_courier_and_reports_the_target() -> None:
    courier = FakeCourier()
    delivery = await send(FakeRosterSource(ONE), courier, text="run the tests please")
    assert delivery.outcome is Outcome.SENT
    assert delivery.target == ONE.peers[0]
    assert delivery.courier_report == "SENT"
    assert delivery.verified
    (plan,) = courier.plans
    assert (plan.name, plan.text, plan.model, plan.timeout) == ("peer-live", "run the tests please", "haiku", 30)
    assert "--tools=ListAgents,SendMessage" in courier_arguments(plan)


async def test_a_courier_that_times_out_or_fails_is_reported_as_delivery_failed() -> None:
    courier = FakeCourier(
        ran(end=CourierEnd.TIMED_OUT, exit_code=None),
        NotStarted(Cause.PROGRAM_NOT_FOUND, "could not spawn `claude`: not found"),
        replace(ran({"type": "result", "result": "NOT_FOUND"}), stderr="peer listing was empty"),
        ran(INIT, said("NOT SENT"), result("NOT SENT")),
    )
    messages = []
    for _ in range(4):
        delivery = await send(FakeRosterSource(ONE), courier)
        assert delivery.outcome is Outcome.DELIVERY_FAILED
        assert delivery.outcome.value == "delivery_failed"
        messages.append(delivery.message)
    timed_out, unspawnable, not_found, ambiguous = messages
    assert "30 seconds" in timed_out
    assert "could not spawn" in unspawnable
    assert "NOT_FOUND" in not_found
    assert "peer listing was empty" in not_found
    assert "NOT SENT" in ambiguous


@pytest.mark.parametrize("text", ["", " ", "\n\t\r\n", "\u2003"])
async def test_an_empty_message_is_refused_before_the_registry_is_read(text: str) -> None:
    unreadable = build_roster(state=RegistryState.UNREADABLE)
    delivery = await send(FakeRosterSource(unreadable), FakeCourier(), text=text)
    assert delivery.cause is Cause.EMPTY


async def test_the_longest_message_is_sent_and_a_longer_one_is_not() -> None:
    courier = FakeCourier()
    assert (await send(FakeRosterSource(ONE), courier, text="é" * 1_048_576)).outcome is Outcome.SENT
    delivery = await send(FakeRosterSource(ONE), courier, text="é" * 1_048_577)
    assert delivery.cause is Cause.TOO_LONG
    assert "1048577" in delivery.message
    assert len(courier.plans) == 1


async def test_the_text_is_sent_as_it_is() -> None:
    courier = FakeCourier()
    text = "  - [ ] it\r\n---END MESSAGE---\x1b[31m\u202e \n"
    await send(FakeRosterSource(ONE), courier, text=text)
    assert courier.plans[0].text == text


async def test_the_nonce_is_drawn_until_the_text_does_not_hold_it() -> None:
    class Drawing(FakeCourier):
        nonces = iter(("aa", "bb", "cc"))

        def draw_nonce(self) -> str:
            return next(self.nonces)

    courier = Drawing()
    await send(FakeRosterSource(ONE), courier, text="aa bb")
    assert courier.plans[0].nonce == "cc"


async def test_the_refusals_come_in_the_seeds_order() -> None:
    ambiguous = [build_peer(7, name="a", reachable=False), build_peer(8, name="a")]
    # Not live comes before a name that leads to several.
    assert (await send(FakeRosterSource(build_roster(*ambiguous)), FakeCourier())).outcome is Outcome.NOT_LIVE
    nobody = build_roster(*ambiguous[1:])
    assert (await send(FakeRosterSource(nobody), FakeCourier())).outcome is Outcome.NOT_LIVE
    # A name that leads to several comes before whatever the courier would meet.
    shared = build_roster(build_peer(7, name="a"), build_peer(8, name="a"))
    courier = FakeCourier(NotStarted(Cause.PROGRAM_NOT_FOUND, "none"))
    assert (await send(FakeRosterSource(shared), courier)).outcome is Outcome.IDENTITY_MISMATCH


async def test_the_registry_is_read_again_for_each_letter() -> None:
    source, courier = FakeRosterSource(ONE), FakeCourier()
    assert (await send(source, courier)).outcome is Outcome.SENT
    source.show(build_roster())
    assert (await send(source, courier)).outcome is Outcome.NOT_LIVE
    assert len(courier.plans) == 1


async def test_nothing_is_ever_sent_a_second_time_after_a_doubtful_outcome() -> None:
    courier = FakeCourier(ran())
    assert (await send(FakeRosterSource(ONE), courier)).outcome is Outcome.UNKNOWN
    assert len(courier.plans) == 1


async def test_a_letter_names_model_and_time() -> None:
    courier = FakeCourier()
    await send(FakeRosterSource(ONE), courier, model="opus", timeout=90)
    assert (courier.plans[0].model, courier.plans[0].timeout) == ("opus", 90)


async def test_the_stages_and_the_cancel_signal_are_the_couriers() -> None:
    courier, stages, cancel = FakeCourier(hold=True), list[Stage](), asyncio.Event()
    sending = asyncio.ensure_future(
        message_peer(
            Letter(SESSION, "hello"),
            source=FakeRosterSource(ONE),
            courier=courier,
            on_stage=stages.append,
            cancel=cancel,
        )
    )
    cancel.set()
    delivery = await sending
    assert stages == [Stage.LOOKING]
    assert delivery.cause is Cause.CANCELLED
    assert delivery.target == ONE.peers[0]
