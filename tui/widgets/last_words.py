"""What is said on the way out: nothing that was typed is lost without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from tui.domain.drafts import process_of
from tui.domain.rows import shown_name
from tui.domain.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tui.domain.dispatch import Dispatches
    from tui.domain.drafts import Draft


def last_words(dispatches: Dispatches, drafts: Iterable[Draft]) -> Text | None:
    """Print the texts that are not sent, and name the letters of which nobody will hear again."""
    lines = [*_on_their_way(dispatches), *_not_sent(dispatches, drafts)]
    return Text("\n".join(lines)) if lines else None


def _on_their_way(dispatches: Dispatches) -> Iterator[str]:
    running = [dispatch for dispatch in dispatches.by_process.values() if dispatch.is_running]
    if running:
        names = ", ".join(shown_name(dispatch.peer) for dispatch in running)
        yield f"On its way when peerdeck ended, so it may have been sent: the message to {names}."


def _not_sent(dispatches: Dispatches, drafts: Iterable[Draft]) -> Iterator[str]:
    for draft in drafts:
        if not dispatches.is_running(process_of(draft.peer)):
            yield f"Not sent to {shown_name(draft.peer)}:"
            yield from map(visible, draft.text.splitlines())
