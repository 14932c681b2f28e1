"""Which of the model API's troubles an error is, from its HTTP status and its words."""

from __future__ import annotations

from typing import Final

from tui.domain.delivery import Cause

REFUSED_AT_ONCE: Final = frozenset({Cause.LOGIN, Cause.CREDIT, Cause.MODEL})
"""Troubles that meet the first request of a courier already, so that nothing can have been sent before."""

_SIGNS: Final = (
    (Cause.LOGIN, ("/login", "authentication", "api key", "oauth", "unauthorized")),
    (Cause.CREDIT, ("credit", "billing")),
    (Cause.LIMIT, ("hit your limit", "usage limit", "rate limit", "rate_limit", "limit reached")),
    (Cause.OVERLOAD, ("overloaded",)),
)
_BY_STATUS: Final = {401: Cause.LOGIN, 402: Cause.CREDIT, 403: Cause.LOGIN, 404: Cause.MODEL, 429: Cause.LIMIT}
_SERVER_ERRORS: Final = 500
# Words that say little, and count only where neither the words above nor the status say more.
_FAINT_SIGNS: Final = (
    (Cause.MODEL, ("model",)),
    (Cause.NETWORK, ("connection", "network", "econn", "enotfound", "timed out", "socket", "fetch failed")),
)


def api_cause(status: int | None, words: str, subtype: str = "") -> Cause | None:
    """Name the trouble; None where neither `status` nor `words` say what it is.

    `subtype` is the result event's, and `words` are the program's own: the account's state comes under several
    statuses, so plain words count before the status.
    """
    if subtype == "error_max_turns":
        return Cause.TURNS
    return (
        _sign_in(words, _SIGNS) or _of_status(status) or _sign_in(words, _FAINT_SIGNS) or (status and Cause.API) or None
    )


def _of_status(status: int | None) -> Cause | None:
    if status is None:
        return None
    return _BY_STATUS.get(status) or (Cause.OVERLOAD if status >= _SERVER_ERRORS else None)


def _sign_in(words: str, signs: tuple[tuple[Cause, tuple[str, ...]], ...]) -> Cause | None:
    lowered = words.lower()
    return next((cause for cause, texts in signs if any(text in lowered for text in texts)), None)
