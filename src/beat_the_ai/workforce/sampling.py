"""Which HITs are reviewed: of n completed by a worker ceil(5·log10(n) + 1), never more than n (Bartolo et al. 2020,
§3.2, "Manual Worker Validation").

What was drawn is stored and stays drawn, because later HITs change the chances of earlier ones; each draw only fills
the sample up. It depends on the campaign's seed, the worker, and what was completed and drawn before, on nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from beat_the_ai.rules.ids import short_hash


def sample_size(completed: int) -> int:
    """How many of a worker's completed HITs have to be reviewed in total."""
    return min(completed, math.ceil(5 * math.log10(completed) + 1)) if completed else 0


def choose(seed: int, worker: str, completed: Sequence[str], drawn: Set[str]) -> list[str]:
    """What to add to a sample, in the order of completion; every HIT not yet drawn has the same chance."""
    missing = sample_size(len(completed)) - len(drawn)
    left = [one for one in completed if one not in drawn]
    lots = {one: short_hash(seed, worker, len(completed), one) for one in left}
    winners = set(sorted(left, key=lots.__getitem__)[: max(0, missing)])
    return [one for one in left if one in winners]
