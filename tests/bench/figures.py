"""What a benchmark says."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def figure(name: str, value: float, unit: str, *, ratio: float | None = None, goal: float | None = None) -> None:
    """Print one result as one line of JSON."""
    fields: dict[str, object] = {"name": name, "value": round(value, 3), "unit": unit}
    if ratio is not None:
        fields["ratio"] = round(ratio, 3)
    if goal is not None:
        fields["goal"] = goal
    print(json.dumps(fields), flush=True)


def percentile_95(values: Sequence[float]) -> float:
    """Return the value that 95 % of the values do not exceed."""
    return sorted(values)[math.ceil(len(values) * 0.95) - 1]
