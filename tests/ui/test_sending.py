from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.building import build_peer, build_roster
from tests.fakes import FakeCourier, FakeRosterSource, stream_of
from tests.ui.deck import Deck, open_deck
from tui.domain.courier_stream import CourierStream, Stage
from tui.domain.delivery import Cause
from tui.domain.verdict import CourierEnd, CourierRun, NotStarted
from tui.widgets.last_words import last_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.domain.courier import CourierPlan
    from tui.domain.ports import CancelSignal
    from tui.domain.roster import Roster

ALPHA, BETA = build_peer(41001, name="alpha"), build_peer(41002, name="beta")


class BrokenCourier(FakeCourier):
    async def run(self, plan: CourierPlan, *_: object) -> CourierRun:
        raise OSError(5, f"no [b]pipe[/b] for {plan.name}\x1b[0m")


class LingeringCourier(FakeCourier):
    """Ends its processes on the way out, which takes a moment."""

    ended = False

    async def run(
        self, plan: CourierPlan, on_stage: Callable[[Stage], None], cancel: CancelSignal
    ) -> CourierRun | NotStarted:
        try:
            return await super().run(plan, on_stage, cancel)
        finally:
            for _ in range(10):
                await asyncio.sleep(0)
            self.ended = True


async def send(deck: Deck, text: str = "hello there") -> None:
    """Write to the peer under the cursor and send it."""
    await deck.press("enter")
    await deck.write(text)
    await deck.press("ctrl+s")


def noticed_run(name: str, notice: str) -> CourierRun:
    """What the stream shows when the receiver holds or drops the message."""
    lines = [
        b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"SendMessage","input":'
        b'{"to":"' + name.encode() + b'","message":"hello there"}}]}}',
        b'{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"{\\"success\\":true}"}]}}',
        b'{"type":"result","subtype":"success","is_error":false,"result":"SENT"}',
        b'{"type":"system","subtype":"informational","content":"Cross-session message '
        + notice.encode()
        + b' (recipient: @x)"}',
    ]
    return CourierRun(stream_of(lines), CourierEnd.ANSWERED)


async def test_a_text_that_was_handed_over_is_said_to_be_and_makes_room_for_the_next() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await send(deck, "line 1\nline 2 [b]")
        await deck.until(lambda: deck.shows("✓ SENT Handed to “alpha”; neither held nor refused so far."))
        assert [(plan.name, plan.text) for plan in deck.courier.plans] == [("alpha", "line 1\nline 2 [b]")]
        assert deck.editor.text == ""
        assert deck.is_writing
        assert "alpha ✓ sent" in deck.line(" alpha ")
        assert deck.toasts() == []
        await deck.press("x")
        assert not deck.shows("SENT")
        assert "alpha ✎ draft" in deck.line(" alpha ")


async def test_while_a_courier_runs_its_text_stands_still_and_its_stage_and_seconds_are_shown() -> None:
    async with open_deck(ALPHA, BETA, courier=FakeCourier(hold=True)) as deck:
        await send(deck)
        await deck.until(lambda: deck.shows("→ SENDING 0s, looking for the peer. ctrl+x cancels."))
        await deck.press("q", "x", "ctrl+s", "ctrl+j")
        assert deck.editor.text == "hello there"
        assert len(deck.courier.plans) == 1
        assert "Cancel" in deck.lines()[-1]
        assert "Cancel ctrl+x" in deck.line("To ")
        assert "alpha → sending" in deck.line(" alpha ")
        deck.clock.now += 7_000
        await deck.until(lambda: deck.shows("7s, looking for the peer"))


async def test_a_courier_can_be_called_back_and_the_text_is_kept() -> None:
    async with open_deck(ALPHA, courier=FakeCourier(hold=True)) as deck:
        await send(deck)
        await deck.press("ctrl+x")
        await deck.until(lambda: deck.shows("? UNKNOWN Cancelled before the courier showed what it did."))
        assert deck.editor.text == "hello there"
        await deck.press("ctrl+u")
        assert deck.editor.text == ""


async def test_another_peer_can_be_written_to_meanwhile_and_the_end_of_the_first_is_a_toast() -> None:
    async with open_deck(ALPHA, BETA, courier=FakeCourier(hold=True)) as deck:
        await send(deck)
        await deck.press("escape", "down")
        await send(deck, "for beta")
        await deck.until(lambda: len(deck.courier.plans) == 2)
        await deck.press("escape", "up", "down")
        deck.courier.may_finish.set()
        await deck.until(deck.toasts)
        assert deck.toasts() == ["✓ SENT alpha | Handed to “alpha”; neither held nor refused so far. "]
        await deck.until(lambda: deck.shows("✓ SENT Handed to “beta”"))
        assert "✓ sent" in deck.line(" alpha ")


async def test_an_outcome_under_another_screen_is_a_toast() -> None:
    async with open_deck(ALPHA, courier=FakeCourier(hold=True)) as deck:
        await send(deck)
        await deck.press("f2")
        deck.courier.may_finish.set()
        await deck.until(deck.toasts)
        assert deck.toasts()[0].startswith("✓ SENT alpha")


OUTCOMES: list[tuple[CourierRun | NotStarted, str]] = [
    (
        NotStarted(Cause.PROGRAM_NOT_FOUND, "there is no [b]claude[/b] on PATH"),
        "✗ DELIVERY FAILED there is no [b]claude[/b] on PATH. Install Claude Code",
    ),
    (noticed_run("alpha", "refused"), "✗ REFUSED BY PEER "),
    (
        CourierRun(CourierStream(), CourierEnd.TIMED_OUT),
        "✗ DELIVERY FAILED The courier did not finish within 30 seconds and was killed. Look at",
    ),
]


async def test_any_other_outcome_is_said_literally_with_what_to_do_and_the_text_is_kept() -> None:
    async with open_deck(ALPHA, BETA, courier=FakeCourier(*(run for run, _ in OUTCOMES))) as deck:
        await deck.press("enter")
        await deck.write("hello there")
        for _, words in OUTCOMES:
            await deck.press("ctrl+s")
            await deck.until(partial(deck.shows, words))
            assert deck.editor.text == "hello there"
            assert not deck.editor.read_only


async def test_a_courier_that_breaks_is_an_outcome_and_everything_else_goes_on() -> None:
    async with open_deck(ALPHA, BETA, courier=BrokenCourier()) as deck:
        await send(deck)
        broke = "? UNKNOWN The delivery broke: OSError: [Errno 5] no [b]pipe[/b] for alpha␛[0m."
        await deck.until(lambda: deck.shows(broke))
        assert deck.editor.text == "hello there"
        await deck.show(ALPHA, BETA, build_peer(41003))
        assert len(deck.table.rows) == 3


async def test_an_empty_text_is_refused_without_a_courier() -> None:
    async with open_deck(ALPHA) as deck:
        await deck.press("enter", "ctrl+s")
        await deck.until(lambda: deck.shows("refusing to deliver an empty message. Write something first."))
        assert deck.courier.plans == []


async def test_sending_nothing_after_a_text_was_sent_leaves_its_outcome_to_be_read() -> None:
    async with open_deck(ALPHA) as deck:
        await send(deck)
        await deck.until(lambda: deck.shows("✓ SENT"))
        await deck.press("ctrl+s")
        assert deck.shows("✓ SENT")
        assert len(deck.courier.plans) == 1


@pytest.mark.parametrize(
    "run", [noticed_run("alpha", "held"), CourierRun(CourierStream(is_damaged=True), CourierEnd.ANSWERED)]
)
async def test_a_text_that_may_be_with_the_peer_already_is_sent_again_only_when_asked_twice(run: CourierRun) -> None:
    async with open_deck(ALPHA, courier=FakeCourier(run)) as deck:
        await send(deck)
        await deck.until(lambda: deck.shows("HELD BY PEER") or deck.shows("? UNKNOWN"))
        await deck.press("ctrl+s")
        assert deck.shows("? AGAIN? This text may be with that session already. ctrl+s sends it a second time.")
        assert len(deck.courier.plans) == 1
        await deck.press("ctrl+s")
        await deck.until(lambda: deck.shows("✓ SENT"))
        assert len(deck.courier.plans) == 2


async def test_a_session_that_was_replaced_under_the_editor_must_be_looked_at_before_it_is_written_to() -> None:
    replaced = build_peer(41001, name="omega", sessionId="another")
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("for alpha only")
        await deck.show(replaced, BETA)
        assert deck.shows("≠ CHANGED `alpha` is another session now, `omega`.")
        assert "To alpha" in deck.line("To ")
        await deck.press("ctrl+s")
        await deck.until(lambda: deck.shows("IDENTITY MISMATCH"))
        assert deck.shows("Look at who is there now, then send again.")
        assert "To omega" in deck.line("To ")
        assert deck.courier.plans == []
        await deck.press("ctrl+s")
        await deck.until(lambda: deck.courier.plans)
        assert deck.courier.plans[0].name == "omega"


async def test_a_change_that_the_table_has_not_seen_yet_is_found_when_it_is_sent() -> None:
    async with open_deck(ALPHA) as deck:
        await deck.press("enter")
        await deck.write("for alpha only")
        deck.source.current = build_roster(build_peer(41001, name="alpha", sessionId="another"))
        await deck.press("ctrl+s")
        await deck.until(lambda: deck.shows("IDENTITY MISMATCH"))
        assert deck.courier.plans == []
        assert deck.editor.text == "for alpha only"


async def test_an_old_name_on_another_process_is_not_the_peer_that_was_written_to() -> None:
    async with open_deck(ALPHA) as deck:
        await deck.press("enter")
        await deck.write("for alpha only")
        await deck.show(build_peer(41009, name="alpha"))
        assert deck.shows("`alpha` is gone – text kept.")
        await deck.press("ctrl+s")
        await deck.until(lambda: deck.shows("✗ NOT LIVE"))
        assert deck.courier.plans == []
        assert deck.editor.text == "for alpha only"


async def test_a_name_that_two_share_is_not_sent_to() -> None:
    async with open_deck(ALPHA, build_peer(41002, name="alpha")) as deck:
        await send(deck)
        await deck.until(lambda: deck.shows("IDENTITY MISMATCH"))
        assert deck.courier.plans == []


async def test_a_text_can_be_sent_from_the_table() -> None:
    async with open_deck(ALPHA, BETA) as deck:
        await deck.press("enter")
        await deck.write("later")
        await deck.press("escape", "ctrl+s")
        await deck.until(lambda: deck.shows("✓ SENT"))
        assert deck.courier.plans[0].text == "later"
        assert not deck.is_writing


async def test_quitting_in_mid_send_waits_until_the_courier_is_ended_and_says_what_it_carried() -> None:
    courier = LingeringCourier(hold=True)
    async with open_deck(build_peer(41001, name="al[b]pha"), courier=courier) as deck:
        await send(deck)
        await deck.until(lambda: courier.plans)
        await deck.press("ctrl+q")
    assert courier.ended
    assert deck.app.return_code == 0
    assert "may have been sent: the message to al[b]pha" in str(last_words(deck.app.dispatches, []))


async def test_a_text_that_is_on_its_way_stays_with_a_peer_that_goes() -> None:
    async with open_deck(ALPHA, BETA, courier=FakeCourier(hold=True)) as deck:
        await send(deck)
        await deck.until(lambda: deck.courier.plans)
        await deck.show(BETA)
        await deck.press("escape", "enter")
        assert "To beta" in deck.line("To ")
        assert deck.editor.text == ""


async def test_the_button_does_what_its_key_does() -> None:
    async with open_deck(ALPHA, courier=FakeCourier(hold=True)) as deck:
        await deck.press("enter")
        await deck.write("hello")
        await deck.pilot.click("#send")
        await deck.until(lambda: deck.shows("→ SENDING"))
        await deck.pilot.click("#send")
        await deck.until(lambda: deck.shows("? UNKNOWN Cancelled"))


class TwoFaced(FakeRosterSource):
    """The registry cannot be read when it is to be sent."""

    async def read(self) -> Roster:
        raise PermissionError(13, "denied")


async def test_a_registry_that_breaks_while_sending_is_an_outcome_and_no_crash() -> None:
    async with open_deck(source=TwoFaced(build_roster(ALPHA))) as deck:
        await send(deck)
        await deck.until(lambda: deck.shows("The delivery broke: PermissionError: [Errno 13] denied."))
        assert deck.editor.text == "hello there"
