"""What became of a message: the outcomes, their causes, and what to do about each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tui.domain.peers import Peer


class Outcome(StrEnum):
    """What became of a message. Stable spellings."""

    SENT = "sent"
    """Seen to be handed over as written, and neither held nor refused so far, as far as that could be learnt.

    Not the same as read.
    """
    HELD_BY_PEER = "held_by_peer"
    """Handed over as written; the receiving session holds it for its user's approval."""
    REFUSED_BY_PEER = "refused_by_peer"
    """The receiving session dropped it."""
    HARNESS_UNSUPPORTED = "harness_unsupported"
    """The Claude Code that is installed here has no cross-session messages."""
    NOT_LIVE = "not_live"
    """No live process that can be written to is running this session right now."""
    IDENTITY_MISMATCH = "identity_mismatch"
    """The name does not lead to the requested session alone."""
    DELIVERY_FAILED = "delivery_failed"
    """Nothing was sent."""
    UNKNOWN = "unknown"
    """It may have been sent: do not just send it again."""


class Cause(StrEnum):
    """What made an outcome other than sent, finer than the outcome. Stable spellings."""

    EMPTY = "empty_message"
    TOO_LONG = "message_too_long"
    NOT_TEXT = "message_not_text"
    NAME = "unaddressable_name"
    REGISTRY = "registry_unreadable"
    NO_SESSION = "no_such_session"
    UNREACHABLE = "unreachable"
    PARKED = "parked"
    ELSEWHERE = "elsewhere"
    COURIER_PEER = "courier"
    AMBIGUOUS = "ambiguous_name"
    CHANGED = "identity_changed"
    PROGRAM_NOT_FOUND = "program_not_found"
    PROGRAM_NOT_RUNNABLE = "program_not_runnable"
    FLAG_UNKNOWN = "flag_unknown"
    TOOL_MISSING = "tool_missing"
    LOGIN = "login"
    CREDIT = "credit"
    LIMIT = "usage_limit"
    MODEL = "model"
    OVERLOAD = "overload"
    NETWORK = "network"
    API = "api_error"
    TURNS = "too_many_turns"
    DENIED = "tool_denied"
    NOT_LISTED = "peer_not_listed"
    NOT_CALLED = "nothing_sent"
    SEND_FAILED = "send_failed"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    STREAM_BROKEN = "stream_broken"
    WRONG_TARGET = "wrong_target"
    ALTERED = "text_altered"
    REPEATED = "sent_repeatedly"
    UNCONFIRMED = "unconfirmed"
    HELD = "held"
    REFUSED = "refused"


NOT_AGAIN: Final = "Look at the receiving session before you send it again."

HINTS: Final[dict[Cause, str]] = {
    Cause.EMPTY: "Write something first.",
    Cause.TOO_LONG: "Put it into a file and send the path.",
    Cause.NOT_TEXT: "Send it as UTF-8.",
    Cause.NAME: "Rename that session with /rename.",
    Cause.REGISTRY: "Make the registry directory readable for you.",
    Cause.NO_SESSION: "`peerdeck list` shows who can be written to.",
    Cause.UNREACHABLE: "Restart that session; cross-session messages may be turned off in it.",
    Cause.PARKED: "Write to the background session that carries it on.",
    Cause.ELSEWHERE: "Run peerdeck on the machine or in the container where that session runs.",
    Cause.COURIER_PEER: "Choose another session.",
    Cause.AMBIGUOUS: "Rename one of them with /rename, then send again.",
    Cause.CHANGED: "Look at who is there now, then send again.",
    Cause.PROGRAM_NOT_FOUND: "Install Claude Code, put it on PATH, or name it with --claude.",
    Cause.PROGRAM_NOT_RUNNABLE: "Check the program's permissions, or name another with --claude.",
    Cause.FLAG_UNKNOWN: "Update Claude Code; peerdeck never drops a safety flag.",
    Cause.TOOL_MISSING: "Update Claude Code, or allow its SendMessage tool.",
    Cause.LOGIN: "Run `claude` and /login, or mend the API key, then send again.",
    Cause.CREDIT: "Add credit to the account, then send again.",
    Cause.LIMIT: "Wait until the limit resets, then send again.",
    Cause.MODEL: "Name another with --model.",
    Cause.OVERLOAD: "Wait a little, then send again.",
    Cause.NETWORK: "Check the connection, then send again.",
    Cause.API: "Run `claude -p hello` to see the same error, then send again.",
    Cause.TURNS: "Send again, or name a stronger model with --model.",
    Cause.DENIED: "A managed setting or hook denies the SendMessage tool; allow it.",
    Cause.NOT_LISTED: "The courier's Claude does not see that session; check that both use one config directory.",
    Cause.NOT_CALLED: "Send again, or name a stronger model with --model.",
    Cause.SEND_FAILED: "Look at that session, then send again.",
    Cause.TIMEOUT: "Look at the receiving session, then send again, or allow more time with --timeout.",
    Cause.CANCELLED: "Send again when you want to.",
    Cause.STREAM_BROKEN: NOT_AGAIN,
    Cause.WRONG_TARGET: "Look at both sessions before you send it again.",
    Cause.ALTERED: NOT_AGAIN,
    Cause.REPEATED: NOT_AGAIN,
    Cause.UNCONFIRMED: NOT_AGAIN,
    Cause.HELD: "Approve it in that session; a held message expires there after a few minutes.",
    Cause.REFUSED: "Change that session's crossSessionInbound setting, or tell it yourself.",
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one message, and how that is known."""

    outcome: Outcome
    message: str
    """A sentence about it. It may quote names and answers and is untrusted text."""
    cause: Cause | None = None
    target: Peer | None = None
    """The peer as the registry had it when the message was sent."""
    verified: bool = False
    """The stream showed one SendMessage with this name and this text, and its success."""
    courier_report: str = ""
    """The courier's final answer, untrusted."""
    cost_usd: float | None = None
    seconds: float = 0.0
    """How long the courier ran."""

    @property
    def hint(self) -> str:
        """What to do about it; empty when there is nothing to do."""
        if self.outcome is Outcome.UNKNOWN and self.cause is not Cause.WRONG_TARGET:
            return NOT_AGAIN
        return HINTS[self.cause] if self.cause else ""
