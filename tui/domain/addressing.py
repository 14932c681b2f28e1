"""Whom a message is for: the one live peer that a session id, a name or an endpoint leads to, or why there is none."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

from tui.domain.delivery import Cause, Delivery, Outcome
from tui.domain.endpoint import ENDPOINT_PREFIX, PeerEndpoint
from tui.domain.peers import Liveness, Peer, same_start
from tui.domain.roster import RegistryState, Roster
from tui.domain.text import one_line, visible

_NAME_CELLS: Final = 80
_LONGEST_NAME: Final = 500  # characters; more than a name, and room to hide instructions for the courier
_SESSION_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Addressee:
    """Whom a person means."""

    session_id: str
    peer: Peer | None = None
    """The process, where a name or an endpoint leads to one; a session id alone can be held by several."""


def resolve(roster: Roster, session_id: str, expected: Peer | None = None) -> Peer | Delivery:
    """Find the one peer that holds `session_id` and can be written to, or say why there is none."""
    if refusal := _refuse_unreadable(roster):
        return refusal
    if expected is not None and (drift := _drift(roster, session_id, expected)):
        return drift
    holders = [peer for peer in roster.peers if peer.record.session_id == session_id]
    if not holders:
        return _not_live(Cause.NO_SESSION, _nobody(session_id, expected))
    target = _holder(holders, expected)
    if refusal := cannot_be_written_to(target):
        return refusal
    others = [peer for peer in holders if peer is not target and peer.liveness is not Liveness.PARKED]
    if (others and expected is None) or namesakes(roster, target):
        return Delivery(
            Outcome.IDENTITY_MISMATCH,
            f"the registry name `{_shown(target.name)}` no longer resolves to session `{_shown(session_id)}` alone;"
            " refusing rather than delivering into another session",
            Cause.AMBIGUOUS,
            target,
        )
    return target


def find_addressee(roster: Roster, wanted: str) -> Addressee | Delivery:
    """Turn what a person names (a session id, a name or an endpoint) into whom it stands for now.

    Raises:
        EndpointError: `wanted` starts like an endpoint but is none.
    """
    if wanted.startswith(ENDPOINT_PREFIX):
        endpoint = PeerEndpoint.parse(wanted)
        return _refuse_unreadable(roster) or _holder_of_endpoint(roster, endpoint)
    if any(peer.record.session_id == wanted for peer in roster.peers):
        return Addressee(wanted)
    named = [peer for peer in roster.peers if peer.name == wanted]
    # A parked window keeps the name of the session that it handed on.
    named = [peer for peer in named if peer.liveness is not Liveness.PARKED] or named
    if len(named) > 1:
        message = f"{len(named)} live sessions are named `{_shown(wanted)}`; refusing rather than guessing"
        return Delivery(Outcome.IDENTITY_MISMATCH, message, Cause.AMBIGUOUS)
    # An unknown word goes on as a session id, so that the refusal is the one for a session that nobody runs.
    return Addressee(named[0].record.session_id, named[0]) if named else Addressee(wanted)


def cannot_be_written_to(peer: Peer) -> Delivery | None:
    """Say why this peer is no one to write to; None when it can be tried."""
    name = f"`{_shown(peer.name) or peer.pid}`"
    if peer.liveness is Liveness.ELSEWHERE:
        message = f"{name} runs on another machine or in another container and cannot be checked from here"
        return _not_live(Cause.ELSEWHERE, message, peer)
    if peer.liveness is Liveness.PARKED:
        return _not_live(Cause.PARKED, f"{name} has handed its session to a background job", peer)
    if peer.is_courier:
        return _not_live(Cause.COURIER_PEER, f"{name} is a courier on its way", peer)
    if not peer.name or not peer.reachable:
        lack = "inbox" if peer.name else "name to write to"
        return _not_live(Cause.UNREACHABLE, f"{name} is live, but has no {lack}", peer)
    if visible(peer.name) != peer.name or len(peer.name) > _LONGEST_NAME:
        message = f"the name {name} is too long or holds characters that could mislead the courier"
        return Delivery(Outcome.DELIVERY_FAILED, message, Cause.NAME, peer)
    return None


def namesakes(roster: Roster, peer: Peer) -> list[Peer]:
    """Return the other peers whose name is this one's or could be taken for it."""
    key = _confusable_key(peer.name)
    return [
        other
        for other in roster.peers
        if other.pid != peer.pid and other.liveness is not Liveness.PARKED and _confusable_key(other.name) == key
    ]


def shared_names(roster: Roster) -> dict[int, int]:
    """Return, by pid, how many live peers share a name that is this one's or could be taken for it.

    Says of all peers at once what `namesakes` says of one; names that are unique are left out.
    """
    named = [peer for peer in roster.peers if peer.liveness is not Liveness.PARKED]
    counts = Counter(_confusable_key(peer.name) for peer in named)
    return {peer.pid: count for peer in named if (count := counts[_confusable_key(peer.name)]) > 1}


def _refuse_unreadable(roster: Roster) -> Delivery | None:
    if roster.state is not RegistryState.UNREADABLE:
        return None
    message = f"the registry {roster.directory} cannot be read: {roster.detail}"
    return Delivery(Outcome.DELIVERY_FAILED, message, Cause.REGISTRY)


def _holder_of_endpoint(roster: Roster, endpoint: PeerEndpoint) -> Addressee | Delivery:
    peer = roster.find(endpoint.pid)
    if peer is None:
        return _not_live(Cause.NO_SESSION, f"no live Claude Code process has pid {endpoint.pid}")
    if (
        peer.endpoint is None
        or peer.endpoint.name != endpoint.name
        or peer.endpoint.socket_path != endpoint.socket_path
    ):
        message = f"process {peer.pid} is not the session `{_shown(endpoint.name)}` of the endpoint any more"
        return Delivery(Outcome.IDENTITY_MISMATCH, message, Cause.CHANGED, peer)
    return Addressee(peer.record.session_id, peer)


def _nobody(session_id: str, expected: Peer | None) -> str:
    if expected is not None:
        return f"`{_shown(expected.name)}` is not running any more"
    if _SESSION_ID.fullmatch(session_id):
        running = f"no live Claude Code process is running session `{_shown(session_id)}`"
        return f"{running}; its transcript is persisted only"
    return f"no live Claude Code session has the name or the id `{_shown(session_id)}`"


def _holder(holders: list[Peer], expected: Peer | None) -> Peer:
    """Choose the expected peer, else one that can be written to: a parked window comes before who carries it on."""
    if expected is not None:
        return next((peer for peer in holders if peer.pid == expected.pid), holders[0])
    return next((peer for peer in holders if cannot_be_written_to(peer) is None), holders[0])


def _drift(roster: Roster, session_id: str, expected: Peer) -> Delivery | None:
    """Refuse when the process that was shown is another session now, or the session is another process's."""
    now = roster.find(expected.pid)
    if now is None or same_start(expected.record.proc_start, now.record.proc_start) is False:
        now = next((peer for peer in roster.peers if peer.record.session_id == session_id), None)
        if now is None:
            return None  # nobody runs it: the refusal is the one for a session that is not live
        message = (
            f"`{_shown(expected.name)}` is run by another process now ({now.pid}) than the one that was written to"
        )
        return Delivery(Outcome.IDENTITY_MISMATCH, message, Cause.CHANGED, now)
    if now.record.session_id == session_id == expected.record.session_id and now.name == expected.name:
        return None
    message = (
        f"`{_shown(expected.name)}` is another session now (`{_shown(now.name)}`) than the one that was written to"
    )
    return Delivery(Outcome.IDENTITY_MISMATCH, message, Cause.CHANGED, now)


def _not_live(cause: Cause, message: str, target: Peer | None = None) -> Delivery:
    return Delivery(Outcome.NOT_LIVE, message, cause, target)


def _confusable_key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _shown(name: str) -> str:
    return one_line(name, _NAME_CELLS)
