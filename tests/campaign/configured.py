"""The configuration of a small campaign whose questions are validated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from beat_the_ai.terms.division import PARTS

EMPTY: Mapping[str, Any] = {}


def config(
    *,
    pay: Mapping[str, Any] = EMPTY,
    parts: Sequence[str] = PARTS,
    terms: Mapping[str, Any] = EMPTY,
    **sections: Mapping[str, Any],
) -> dict[str, Any]:
    """Return it as the store keeps it. `pay` and `terms`, which are those of validation, add to the defaults."""
    return {
        "pay": {"reward_cents": 200, "bonus_cents_per_win": 0, **pay},
        "round": {
            "number": 1,
            "hits_per_context": 4,
            "max_hits": None,
            "wins_wanted": 1,
            "max_wins": 5,
            "max_tries": 9,
            "time_limit_seconds": 3600,
        },
        "validation": {"parts": parts, "terms": {"gold_per_hit": 0, "reward_cents": 50, **terms}},
        **sections,
    }
