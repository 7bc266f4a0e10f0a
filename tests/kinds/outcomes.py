"""Works with votes that count, for tests of what kinds say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.rules.adjudication import NOT_ADJUDICATED, Label, Outcome, Vote
from beat_the_ai.store import now


def outcome(name: str, work: Mapping[str, Any], *labels: Label) -> Outcome:
    """Return a work on which v0, v1, … have voted so, in this order."""
    votes = [Vote(f"v{number}", f"3X{number}", label, {}, now(), agrees=False) for number, label in enumerate(labels)]
    return Outcome(name, "c", "w", work, 1, NOT_ADJUDICATED, tuple(votes))
