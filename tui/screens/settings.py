"""The inbound policy in the user's settings file."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.containers import VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from tui.actions import SETTINGS, bindings
from tui.domain.inbound import CAVEAT, SETTING, InboundSettings, SettingsError, SettingsTrouble
from tui.domain.rows import directory
from tui.domain.text import one_line
from tui.messages import PolicyChosen, PolicyNotWritten, PolicyWritten, SettingsRead, SettingsWanted
from tui.widgets.key_line import KeyLine
from tui.widgets.policy_list import PolicyList, policy_word

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

_REVISION: Final = 12
"""Characters of the revision that are shown; the tooltip has them all."""
_SENTENCE: Final = 600


class SettingsScreen(Screen[None], inherit_bindings=False):
    """Shows what the file says, and writes the value that the user chooses, at once."""

    AUTO_FOCUS = "PolicyList"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SETTINGS)]
    LOOK_SECONDS: ClassVar[float] = 2.0
    """The pause between two looks at the file: other programs write it too, and what it says is what is shown."""

    found: reactive[InboundSettings | SettingsError | None] = reactive(None)
    """What the file says now, or why it cannot be read; None before it was read."""

    policies = query_one(PolicyList)
    meaning = query_one("#meaning", Static)
    outcome = query_one("#outcome", Static)
    trouble = query_one("#trouble", Static)
    file = query_one("#file", Static)

    def __init__(self, *, home: str) -> None:
        super().__init__()
        self._home = home

    def compose(self) -> ComposeResult:
        """Build the screen."""
        yield Static(f"Inbound policy  {SETTING}", id="title", markup=False)
        yield PolicyList()
        yield Static(id="meaning", markup=False)
        with VerticalScroll(id="about", can_focus=False):
            yield Static(id="trouble", markup=False)
            yield Static(id="outcome", markup=False)
            yield Static(CAVEAT, id="caveat", markup=False)
            yield Static(id="file", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Read the file now and from time to time."""
        self._look()

    def watch_found(self, found: InboundSettings | SettingsError | None) -> None:
        """Show what the file says."""
        self.policies.settings = found if isinstance(found, InboundSettings) else None
        self.trouble.display = isinstance(found, SettingsError)
        if isinstance(found, InboundSettings):
            path = directory(str(found.path), self._home)
            self.file.update(Content(f"{path}\nrevision {found.revision[:_REVISION]}"))
            self.file.tooltip = Content(found.revision)
        elif isinstance(found, SettingsError):
            self.trouble.update(_sentence("✗", found.message, found.hint))

    def on_settings_read(self, event: SettingsRead) -> None:
        """Show what the file says, and look again in a while."""
        self.found = event.found
        self.set_timer(self.LOOK_SECONDS, self._look)

    def on_policy_written(self, event: PolicyWritten) -> None:
        """Say what the file says after a value was written."""
        self.found = event.settings
        word = policy_word(event.settings.policy)
        self._say(_sentence("✓", f"The file says {word} now.", "Running sessions notice within seconds."), "-done")

    def on_policy_not_written(self, event: PolicyNotWritten) -> None:
        """Say why the chosen value was not written; nothing is tried again."""
        self.found = event.found
        is_conflict = event.error.trouble is SettingsTrouble.CHANGED_DURING_WRITE
        kind = "conflict" if is_conflict else event.error.trouble.value
        # After some errors the change is in place, and the message says so.
        verb = "was not written" if is_conflict else "is not confirmed"
        words = f"{policy_word(event.policy)} {verb} ({kind}): {event.error.message}."
        if is_conflict and isinstance(event.found, InboundSettings):
            words += f" The file says {policy_word(event.found.policy)} now."
        self._say(_sentence("✗", words, event.error.hint), "-failed")

    def on_option_list_option_highlighted(self) -> None:
        """Say what the policy under the cursor means, for when there is no room beside it."""
        self.meaning.update(Content(self.policies.meaning))

    def on_policy_list_chosen(self, event: PolicyList.Chosen) -> None:
        """Have the value written, if the file still is what is shown."""
        revision = self.found.revision if isinstance(self.found, InboundSettings) else None
        self.post_message(PolicyChosen(event.policy, revision))

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()

    def action_scroll(self, direction: str) -> None:
        """Move the text below the policies."""
        about = self.query_one("#about", VerticalScroll)
        about.scroll_page_up() if direction == "up" else about.scroll_page_down()

    def _look(self) -> None:
        self.post_message(SettingsWanted())

    def _say(self, sentence: Content, state: str) -> None:
        self.outcome.set_classes(state)
        self.outcome.update(sentence)


def _sentence(glyph: str, sentence: str, hint: str) -> Content:
    return Content(f"{glyph} {one_line(sentence.rstrip('.'), _SENTENCE)}. {one_line(hint, _SENTENCE)}")
