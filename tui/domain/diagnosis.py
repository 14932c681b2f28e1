"""What `peerdeck doctor` found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    """A stable word for it."""
    message: str
    """What was found, untrusted text."""
    hint: str = ""
    """What to do about it; empty when all is well."""

    @property
    def is_ok(self) -> bool:
        """Whether nothing need be done."""
        return not self.hint

    def facts(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {"subject": self.subject, "ok": self.is_ok, "message": self.message, "hint": self.hint or None}
