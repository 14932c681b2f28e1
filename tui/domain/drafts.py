"""What was written to whom and is not sent: one text a peer process, kept until it is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from tui.domain.peers import Peer


@dataclass(frozen=True, slots=True)
class PeerProcess:
    """What a draft belongs to. `/clear` and `/rename` keep it; a pid that is used again is another one."""

    pid: int
    start: str | None
    """`RegistryRecord.proc_start`."""


def process_of(peer: Peer) -> PeerProcess:
    """Return the process that holds this peer's session."""
    return PeerProcess(peer.pid, peer.record.proc_start)


def letter_text(draft: str) -> str:
    """Return what is sent of a draft.

    An empty line at the end is left from typing, and the one thing that a model is likely to drop.
    """
    return draft.rstrip("\n")


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that is not sent."""

    peer: Peer
    """For whom it was written, as the peer was then."""
    text: str


@dataclass(slots=True)
class Drafts:
    """All texts that are not sent, the one written last at the end."""

    _by_process: dict[PeerProcess, Draft] = field(default_factory=dict)

    def text(self, process: PeerProcess) -> str:
        """Return what is written to this process; empty when nothing is."""
        draft = self._by_process.get(process)
        return draft.text if draft else ""

    def write(self, peer: Peer, text: str) -> None:
        """Keep `text` for this peer; an empty one is no draft."""
        process = process_of(peer)
        self._by_process.pop(process, None)
        if text:
            self._by_process[process] = Draft(peer, text)

    def all(self) -> list[Draft]:
        """Return the drafts."""
        return list(self._by_process.values())

    def processes(self) -> frozenset[PeerProcess]:
        """Return the processes that have a draft."""
        return frozenset(self._by_process)

    def homeless(self, living: Container[PeerProcess]) -> Draft | None:
        """Return the draft written last whose peer is gone."""
        gone = (draft for process, draft in reversed(self._by_process.items()) if process not in living)
        return next(gone, None)

    def take_along(self, peer: Peer, living: Container[PeerProcess]) -> Draft | None:
        """Give the homeless draft to `peer` if it has none of its own, and return it."""
        draft = self.homeless(living)
        if draft is None or self.text(process_of(peer)):
            return None
        self.write(draft.peer, "")
        self.write(peer, draft.text)
        return draft
