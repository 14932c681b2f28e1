from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from tests.fakes import FakeSettingsStore
from tests.ui.deck import SETTINGS, Deck, open_deck
from tests.waiting import DEADLINE
from tui.domain.inbound import CAVEAT, MEANINGS, InboundPolicy, InboundSettings, SettingsError, SettingsTrouble
from tui.screens.settings import SettingsScreen
from tui.widgets.policy_list import PolicyList

if TYPE_CHECKING:
    from collections.abc import Callable


class CountingStore(FakeSettingsStore):
    """Counts what is written."""

    updates = 0
    before_update: Callable[[], None] = staticmethod(lambda: None)

    def update(self, policy: InboundPolicy | None, expected_revision: str | None = None) -> InboundSettings:
        self.updates += 1
        self.before_update()
        return super().update(policy, expected_revision)


async def open_settings(deck: Deck) -> None:
    await deck.press("s")
    await deck.until(lambda: deck.shows("●") or deck.shows("✗"))
    await deck.settle()


async def test_the_screen_shows_the_value_in_the_file_the_file_and_what_it_does_not_say() -> None:
    async with open_deck(store=FakeSettingsStore(SETTINGS, InboundPolicy.HOLD)) as deck:
        await open_settings(deck)
        assert deck.line("● hold").split() == ["●", "hold", *MEANINGS[InboundPolicy.HOLD].split()]
        assert deck.shows("○ not set the permission-mode default")
        assert deck.shows("~/.claude/settings.json revision 000000000000 ")
        assert deck.shows(CAVEAT)
        assert deck.app.screen.query_one("#file").tooltip is not None


async def test_in_a_small_pane_the_caveat_is_there_and_the_meaning_follows_the_cursor() -> None:
    async with open_deck(store=FakeSettingsStore(SETTINGS), size=(40, 15)) as deck:
        await open_settings(deck)
        assert deck.shows(CAVEAT)
        assert deck.shows("delivered between like modes, held otherwise")
        await deck.press("up")
        assert deck.shows("messages are dropped; the sender is told")


async def test_moving_the_cursor_writes_nothing_and_choosing_writes_at_once() -> None:
    store = CountingStore(SETTINGS)
    async with open_deck(store=store) as deck:
        await open_settings(deck)
        await deck.press("up", "up", "home", "down", "j", "k", "end", "tab")
        assert store.updates == 0
        await deck.press("home", "space")
        await deck.until(lambda: deck.shows("✓ The file says accept now. Running sessions notice within seconds."))
        assert deck.line("● accept")
        await deck.press("down", "enter")
        await deck.until(lambda: deck.shows("✓ The file says hold now."))
        await deck.pilot.click(PolicyList, offset=(5, 3))
        await deck.until(lambda: deck.shows("✓ The file says not set now."))
        assert store.updates == 3
        assert store.read().policy is None
        await deck.press("escape")
        assert not isinstance(deck.app.screen, SettingsScreen)


async def test_a_foreign_change_is_a_conflict_that_shows_what_the_file_says_and_is_not_tried_again() -> None:
    store = CountingStore(SETTINGS, InboundPolicy.ACCEPT)
    async with open_deck(store=store) as deck:
        await open_settings(deck)
        store.before_update = lambda: store.foreign_write(InboundPolicy.REFUSE)
        await deck.press("down", "enter")
        await deck.until(lambda: deck.shows("✗ hold was not written (conflict): the settings changed meanwhile."))
        assert deck.shows("The file says refuse now. Look again.")
        assert deck.line("● refuse")
        assert store.updates == 1
        store.before_update = lambda: None
        await deck.press("enter")
        await deck.until(lambda: deck.shows("✓ The file says hold now."))


async def test_a_later_change_in_the_file_is_shown_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SettingsScreen, "LOOK_SECONDS", 0.1)
    store = FakeSettingsStore(SETTINGS, InboundPolicy.ACCEPT)
    async with open_deck(store=store) as deck:
        await open_settings(deck)
        store.foreign_write(InboundPolicy.HOLD)
        await deck.until(lambda: "●" in deck.line(" hold "))


@pytest.mark.parametrize("is_invalid", [True, False])
async def test_a_file_that_cannot_be_read_is_said_with_what_to_do_and_a_choice_still_works(is_invalid: bool) -> None:
    store = FakeSettingsStore(SETTINGS)
    message = 'crossSessionInbound is "[b]ask[/b]\x1b[0m", which is no policy'
    store.error = SettingsError(SettingsTrouble.INVALID, message, "Choose one here.")

    def mend(policy: InboundPolicy | None, expected_revision: str | None = None) -> InboundSettings:
        assert expected_revision is None
        if not is_invalid:
            raise SettingsError(SettingsTrouble.IO, "Permission denied", "Look at its mode.")
        store.error = None
        store.foreign_write(policy)
        return store.read()

    async with open_deck(store=store) as deck:
        await open_settings(deck)
        assert deck.shows('✗ crossSessionInbound is "[b]ask[/b]␛[0m", which is no policy. Choose one here.')
        assert not deck.shows("●")
        store.update = mend  # type: ignore[method-assign]
        await deck.press("home", "enter")
        if is_invalid:
            await deck.until(lambda: deck.shows("✓ The file says accept now."))
            assert not deck.shows("✗")
        else:
            await deck.until(lambda: deck.shows("✗ accept is not confirmed (io): Permission denied. Look at its mode."))


async def test_a_choice_that_fails_after_the_screen_was_closed_is_a_toast() -> None:
    store = CountingStore(SETTINGS)
    may_go_on = Event()

    def update(*_: object) -> InboundSettings:
        may_go_on.wait(DEADLINE)
        raise SettingsError(SettingsTrouble.IO, "[b]denied", "Look at its mode.")

    store.update = update  # type: ignore[method-assign, assignment]
    async with open_deck(store=store) as deck:
        await open_settings(deck)
        await deck.press("home", "enter", "escape")
        may_go_on.set()
        await deck.until(deck.toasts)
        assert deck.toasts() == [" | accept is not confirmed: [b]denied. Look at its mode."]


async def test_an_error_that_nobody_thought_of_is_one_toast_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SettingsScreen, "LOOK_SECONDS", 0.01)
    store = CountingStore(SETTINGS)

    def read() -> InboundSettings:
        raise RuntimeError("[/] no\x1b[0m")

    store.read = read  # type: ignore[method-assign]
    async with open_deck(store=store) as deck:
        await deck.press("s")
        await deck.until(deck.toasts)
        await deck.press("up", "down")
        assert deck.toasts() == [" | RuntimeError: [/] no␛[0m"]
