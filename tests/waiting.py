"""Waiting for a condition, with a deadline that only a failure reaches."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tui.domain.roster import Roster

DEADLINE: Final = 20.0
"""Seconds; far beyond what anything here takes on a loaded machine."""

_T = TypeVar("_T")


def wait_until(found: Callable[[], _T], what: str = "the condition") -> _T:
    """Return the first true answer of `found`."""
    end = time.monotonic() + DEADLINE
    while not (answer := found()):
        assert time.monotonic() < end, f"{what} did not come true; the last answer was {answer!r}"
        time.sleep(0.005)
    return answer


async def next_roster(rosters: AsyncIterator[Roster], wanted: Callable[[Roster], object]) -> Roster:
    """Return the first roster that is wanted."""
    async with asyncio.timeout(DEADLINE):
        async for roster in rosters:
            if wanted(roster):
                return roster
    raise AssertionError("the rosters ended")
