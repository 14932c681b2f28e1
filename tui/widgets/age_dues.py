"""When which age says something else, so that a tick touches only the cells that change."""

from __future__ import annotations

import heapq


class AgeDues:
    """Keys by the moment at which they are due, in epoch milliseconds."""

    def __init__(self) -> None:
        self._at: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []

    def set(self, key: str, due_ms: int | None) -> None:
        """Make `key` due at that moment instead of any other; never for None."""
        if due_ms is None:
            self._at.pop(key, None)
        elif self._at.get(key) != due_ms:
            self._at[key] = due_ms
            heapq.heappush(self._heap, (due_ms, key))

    def next(self) -> int | None:
        """Return the first moment at which something is due."""
        while self._heap and self._at.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take(self, now_ms: int) -> list[str]:
        """Remove and return what is due by now."""
        taken = []
        while (due := self.next()) is not None and due <= now_ms:
            _, key = heapq.heappop(self._heap)
            del self._at[key]
            taken.append(key)
        return taken
