"""A peer and the time -> the words that both the table and `list` show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tui.domain.peers import Liveness, Peer, PeerStatus
from tui.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

_CELLS: Final = 200  # no single value is shown wider than this
_NAME_CELLS: Final = 40
UNKNOWN: Final = "—"
UNNAMED: Final = "(unnamed)"


class Tone(StrEnum):
    """What a status asks of the reader. The colour is the user interface's; glyph and word say the same."""

    ATTENTION = "attention"
    ACTIVE = "active"
    CALM = "calm"
    FAINT = "faint"


@dataclass(frozen=True, slots=True)
class Badge:
    """A status as it is shown."""

    glyph: str
    """One cell wide in every terminal."""
    word: str
    tone: Tone

    def __str__(self) -> str:
        return f"{self.glyph} {self.word}"


@dataclass(frozen=True, slots=True)
class Row:
    """One peer's cells, safe to show."""

    badge: Badge
    age: str
    name: str
    directory: str
    kind: str
    version: str


_BADGES: Final = {
    PeerStatus.WAITING: Badge("▲", "waiting", Tone.ATTENTION),
    PeerStatus.BUSY: Badge("●", "busy", Tone.ACTIVE),
    PeerStatus.SHELL: Badge("◐", "shell", Tone.ACTIVE),
    PeerStatus.IDLE: Badge("○", "idle", Tone.CALM),
    PeerStatus.UNKNOWN: Badge("?", "unknown", Tone.FAINT),
}
_PARKED: Final = Badge("◇", "parked", Tone.FAINT)
_ELSEWHERE: Final = Badge("◌", "elsewhere", Tone.FAINT)
_OVER: Final = "✗"
_COURIER: Final = Badge("→", "courier", Tone.FAINT)

_ORDER: Final = {word: place for place, word in enumerate(("waiting", "busy", "shell", "idle", "unknown"))}
_LAST: Final = len(_ORDER)


def badge(peer: Peer) -> Badge:
    """Return the status as it is shown. A frozen status is never shown as a running one."""
    if peer.liveness is Liveness.PARKED:
        return _PARKED
    if peer.liveness is Liveness.ELSEWHERE:
        return _ELSEWHERE
    if peer.is_courier:
        return _COURIER
    if not peer.liveness.is_shown:
        return Badge(_OVER, peer.liveness.value, Tone.FAINT)
    plain = _BADGES[peer.status]
    words = [plain.word, *_details(peer)]
    return Badge(plain.glyph, one_line(", ".join(words), _CELLS), plain.tone)


def _details(peer: Peer) -> Iterable[str]:
    record = peer.record
    if peer.status is PeerStatus.WAITING and record.waiting_for:
        yield record.waiting_for
    if peer.status is PeerStatus.UNKNOWN and record.status:
        yield record.status
    if peer.liveness is Liveness.UNVERIFIED:
        yield "unverified"
    if not peer.reachable:
        yield "unreachable"


def row(peer: Peer, now_ms: int, home: str) -> Row:
    """Return the peer's cells; `home` is shown as `~`."""
    record = peer.record
    return Row(
        badge(peer),
        age(record.status_updated_at, now_ms),
        one_line(record.name or "", _CELLS) or UNNAMED,
        directory(record.cwd, home),
        kind(peer),
        one_line(record.version or UNKNOWN, _CELLS),
    )


def shown_name(peer: Peer) -> str:
    """Return the peer's name for a sentence."""
    return one_line(peer.name, _NAME_CELLS) or UNNAMED


def kind(peer: Peer) -> str:
    """Return the kind, and the entrypoint where it is not the plain terminal one."""
    record = peer.record
    words = [record.kind or UNKNOWN]
    if record.entrypoint and record.entrypoint != "cli":
        words.append(record.entrypoint)
    return one_line(" ".join(words), _CELLS)


def directory(cwd: str | None, home: str) -> str:
    """Return a working directory with the home directory written as `~`."""
    if not cwd:
        return UNKNOWN
    if cwd == home or cwd.startswith(home.rstrip("/") + "/"):
        cwd = "~" + cwd[len(home.rstrip("/")) :]
    return one_line(cwd, _CELLS)


_SECOND: Final = 1000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_UNITS: Final = ((2 * _DAY, _DAY, "d"), (_HOUR, _HOUR, "h"), (_MINUTE, _MINUTE, "m"), (0, _SECOND, "s"))


def age(since_ms: int | None, now_ms: int) -> str:
    """Return how long ago something was, in its largest unit; a time in the future is 0s."""
    if since_ms is None:
        return UNKNOWN
    passed = max(0, now_ms - since_ms)
    _, unit, letter = next(step for step in _UNITS if passed >= step[0])
    return f"{passed // unit}{letter}"


def age_changes_in(since_ms: int | None, now_ms: int) -> int | None:
    """Return after how many milliseconds `age` says something else; None when it never does."""
    if since_ms is None:
        return None
    passed = now_ms - since_ms
    if passed < 0:
        return _SECOND - passed
    _, unit, _letter = next(step for step in _UNITS if passed >= step[0])
    return unit - passed % unit


def attention_order(peer: Peer) -> tuple[int, str, int]:
    """Sort key: what needs its user first, then by name; the pid keeps equal names in place."""
    settled = peer.liveness in {Liveness.PARKED, Liveness.ELSEWHERE} or peer.is_courier
    return (_LAST if settled else _ORDER[peer.status.value], peer.name.casefold(), peer.pid)


def summary(peers: Iterable[Peer]) -> str:
    """Return the counts for a header: waiting first, then busy, idle and all others."""
    counts = Counter(badge_group(peer) for peer in peers)
    words = [f"{counts[group]} {group}" for group in ("waiting", "busy", "idle", "other") if counts[group]]
    return " · ".join(words) or "no live sessions"


def badge_group(peer: Peer) -> str:
    """Return which of the header's counts a peer belongs to."""
    if attention_order(peer)[0] == _LAST or peer.status in {PeerStatus.UNKNOWN, PeerStatus.SHELL}:
        return "other"
    return peer.status.value
