"""The four inbound policies, one of them in force at the user level."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.actions import POLICIES, bindings
from tui.domain.inbound import MEANINGS, InboundPolicy, InboundSettings

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.events import Resize

NOT_SET: Final = "not set"
_ORDER: Final = (*InboundPolicy, None)
_ROOM: Final = 64
"""Cells from which on the meaning of a policy stands beside it."""
_WORDS: Final = max(len(NOT_SET), *map(len, InboundPolicy))


def policy_word(policy: InboundPolicy | None) -> str:
    """Return a policy as it is shown."""
    return policy.value if policy else NOT_SET


class PolicyList(OptionList, inherit_bindings=False):
    """Offers the policies. Moving the cursor changes nothing; enter, space or a click chooses."""

    HELP: ClassVar[str] = """\
        ## Inbound policy

        What your sessions do with messages from other sessions, as your own settings file says it. **enter** or
        **space** writes the value under the cursor; moving the cursor writes nothing.
        """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(POLICIES)]
    settings: reactive[InboundSettings | None] = reactive(None)
    """What the file says; None where it cannot be read."""
    terse: reactive[bool] = reactive(False)
    """There is no room for what the policies mean."""

    class Chosen(Message):
        """The user wants this policy."""

        def __init__(self, policy: InboundPolicy | None) -> None:
            super().__init__()
            self.policy = policy

    def on_resize(self, event: Resize) -> None:
        """Leave out what the policies mean where that would not fit beside them."""
        self.terse = event.size.width < _ROOM

    def watch_settings(self, before: InboundSettings | None, settings: InboundSettings | None) -> None:
        """Mark the file's value, and begin at it."""
        self._offer()
        if before is None and settings is not None:
            self.highlighted = _ORDER.index(settings.policy)

    def watch_terse(self) -> None:
        """Offer the policies with or without their meaning."""
        self._offer()

    @property
    def meaning(self) -> str:
        """What the policy under the cursor means."""
        return MEANINGS[_ORDER[self.highlighted or 0]]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Say which one the user chose."""
        event.stop()
        self.post_message(self.Chosen(_ORDER[event.option_index]))

    def _offer(self) -> None:
        place = self.highlighted
        self.set_options([Option(self._prompt(policy)) for policy in _ORDER])
        self.highlighted = place if place is not None else 0

    def _prompt(self, policy: InboundPolicy | None) -> Content:
        is_value = self.settings is not None and policy is self.settings.policy
        word = (f"{'●' if is_value else '○'} {policy_word(policy):{_WORDS}}", "bold")
        return Content.assemble(word, "" if self.terse else f"  {MEANINGS[policy]}")
