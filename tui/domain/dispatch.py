"""Letters on their way: where each courier is, and in the end what became of its letter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tui.domain.courier_stream import Stage
from tui.domain.delivery import Outcome
from tui.domain.rows import Badge, Tone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tui.domain.delivery import Delivery
    from tui.domain.drafts import PeerProcess
    from tui.domain.peers import Peer


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One letter from the moment it was handed to a courier."""

    peer: Peer
    """The addressee as it was shown when the letter was written."""
    text: str
    started_ms: int
    """Epoch milliseconds."""
    stage: Stage = Stage.STARTING
    called_back: bool = False
    """The user cancelled it, and the courier is about to end."""
    delivery: Delivery | None = None

    def may_have_brought(self, text: str) -> bool:
        """Whether this letter ended in doubt or is held, so that the peer may have this very text already."""
        outcome = self.delivery.outcome if self.delivery else None
        return outcome in {Outcome.HELD_BY_PEER, Outcome.UNKNOWN} and text == self.text

    """None while the courier runs."""

    @property
    def is_running(self) -> bool:
        """Whether the courier is still on its way."""
        return self.delivery is None

    def seconds(self, now_ms: int) -> int:
        """Return for how many whole seconds it has been on its way."""
        return max(0, now_ms - self.started_ms) // 1000


@dataclass(frozen=True, slots=True)
class Dispatches:
    """The last letter to each process. Never changed; each method that changes something returns another."""

    by_process: Mapping[PeerProcess, Dispatch] = field(default_factory=dict)

    def get(self, process: PeerProcess) -> Dispatch | None:
        """Return the last letter to this process, until its outcome was seen."""
        return self.by_process.get(process)

    def is_running(self, process: PeerProcess) -> bool:
        """Whether a courier is on its way to this process."""
        dispatch = self.get(process)
        return dispatch is not None and dispatch.is_running

    def put(self, process: PeerProcess, dispatch: Dispatch) -> Dispatches:
        """Return these with another letter to this process."""
        return Dispatches({**self.by_process, process: dispatch})

    def reached(self, process: PeerProcess, stage: Stage) -> Dispatches:
        """Return these with the courier to this process further on its way."""
        return self.put(process, replace(self.by_process[process], stage=stage))

    def called_back(self, process: PeerProcess) -> Dispatches:
        """Return these with the courier to this process cancelled."""
        return self.put(process, replace(self.by_process[process], called_back=True))

    def ended(self, process: PeerProcess, delivery: Delivery) -> Dispatches:
        """Return these with what became of the letter to this process."""
        return self.put(process, replace(self.by_process[process], delivery=delivery))

    def seen(self, process: PeerProcess) -> Dispatches:
        """Return these without the outcome of the letter to this process; a letter on its way stays."""
        if self.get(process) is None or self.is_running(process):
            return self
        return Dispatches({key: value for key, value in self.by_process.items() if key != process})

    def changed(self, before: Dispatches) -> Iterator[PeerProcess]:
        """Yield the processes whose letter was another one before, or doing otherwise."""
        for process in self.by_process.keys() | before.by_process.keys():
            if self.get(process) is not before.get(process):
                yield process


ON_ITS_WAY: Final = Badge("→", "sending", Tone.ACTIVE)

_OUTCOMES: Final = {
    Outcome.SENT: ("✓", Tone.CALM),
    Outcome.HELD_BY_PEER: ("◫", Tone.ATTENTION),
    Outcome.UNKNOWN: ("?", Tone.ATTENTION),
}
_FAILED: Final = ("✗", Tone.ATTENTION)


def dispatch_badge(dispatch: Dispatch) -> Badge:
    """Return how the letter is doing, in the outcome's own stable words."""
    if dispatch.delivery is None:
        return ON_ITS_WAY
    outcome = dispatch.delivery.outcome
    glyph, tone = _OUTCOMES.get(outcome, _FAILED)
    return Badge(glyph, outcome.value.replace("_", " "), tone)
