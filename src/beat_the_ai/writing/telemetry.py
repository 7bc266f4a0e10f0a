"""Measurements that a page reports of the making of a work.

They are evidence for reviewers and never cost a worker an attempt. Malformed values are left out, and values out of
bounds are cut to the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from beat_the_ai.store import Telemetry

MOST = {"pastes": 1_000, "pasted_chars": 100_000, "keystrokes": 100_000}
MOST_SECONDS = 86_400.0


def read_telemetry(given: object) -> Telemetry | None:
    """The page's `{pastes, pasted_chars, keystrokes, focused_seconds, first_key_seconds?}`; None for anything else."""
    if not isinstance(given, Mapping):
        return None
    counts = {name: _number(given.get(name), most) for name, most in MOST.items()}
    focused = _number(given.get("focused_seconds"), MOST_SECONDS)
    if focused is None or None in counts.values():
        return None
    whole = {name: int(count) for name, count in counts.items() if count is not None}
    first_key = _number(given.get("first_key_seconds"), MOST_SECONDS)
    return Telemetry(**whole, focused_seconds=focused, first_key_seconds=first_key)


def _number(given: object, most: float) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float) or math.isnan(given):
        return None
    return float(min(max(given, 0), most))
