"""What the compose pane says about the peer that it shows: one note, the most pressing one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tui.domain.addressing import cannot_be_written_to, namesakes
from tui.domain.dispatch import dispatch_badge
from tui.domain.drafts import process_of
from tui.domain.rows import Badge, Tone, shown_name
from tui.domain.text import one_line

if TYPE_CHECKING:
    from tui.domain.dispatch import Dispatch
    from tui.domain.drafts import Draft
    from tui.domain.peers import Peer
    from tui.domain.roster import Roster

_SENTENCE: Final = 600
"""Cells of a sentence that are shown."""

GONE: Final = Badge("✗", "gone", Tone.ATTENTION)
CHANGED: Final = Badge("≠", "changed", Tone.ATTENTION)
BLOCKED: Final = Badge("✗", "no inbox", Tone.FAINT)
SHARED: Final = Badge("×", "ambiguous", Tone.ATTENTION)
KEPT: Final = Badge("✎", "kept", Tone.ACTIVE)


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to say; safe to show."""

    badge: Badge
    sentence: str
    hint: str = ""
    """What to do about it."""


AGAIN: Final = Note(
    Badge("?", "again?", Tone.ATTENTION),
    "This text may be with that session already.",
    "ctrl+s sends it a second time.",
)


def dispatch_note(dispatch: Dispatch, now_ms: int) -> Note:
    """Say how the letter is doing, or what became of it."""
    delivery = dispatch.delivery
    badge = dispatch_badge(dispatch)
    if delivery is None:
        stage = "calling the courier back" if dispatch.called_back else dispatch.stage.value
        return Note(badge, f"{dispatch.seconds(now_ms)}s, {stage}.", "" if dispatch.called_back else "ctrl+x cancels.")
    return Note(badge, one_line(delivery.message.rstrip("."), _SENTENCE) + ".", delivery.hint)


def peer_note(peer: Peer, roster: Roster, *, has_text: bool) -> Note | None:
    """Say why the peer cannot be written to as it is shown; None when it can."""
    now = roster.find(peer.pid)
    name = f"`{shown_name(peer)}`"
    if now is None or process_of(now) != process_of(peer):
        if has_text:
            return Note(GONE, f"{name} is gone – text kept.", "Press enter on another peer to take it along.")
        return Note(GONE, f"{name} is gone.", "Press escape to go back.")
    if now.record.session_id != peer.record.session_id or now.name != peer.name:
        return Note(CHANGED, f"{name} is another session now, `{shown_name(now)}`.", "Sending asks you to look first.")
    if refusal := cannot_be_written_to(now):
        return Note(BLOCKED, one_line(refusal.message, _SENTENCE) + ".", refusal.hint)
    if others := namesakes(roster, now):
        sentence = f"{len(others) + 1} live sessions are named {name}; nothing is sent while that is so."
        return Note(SHARED, sentence, "Rename one of them with /rename.")
    return None


def homeless_note(draft: Draft) -> Note:
    """Say that a text outlived its peer."""
    return Note(KEPT, f"The text for `{shown_name(draft.peer)}`, which is gone, is kept.", "Enter takes it along.")
