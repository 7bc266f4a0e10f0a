"""The sample of HITs for review (Bartolo et al. 2020, §3.3, "Manual Worker Validation").

Of n HITs that a worker completed, ceil(5·log10(n) + 1) are reviewed, never more than n.

A drawn HIT is stored and stays drawn, because later HITs change the chances of earlier ones. Each draw only fills the
sample up. It depends only on the campaign's seed, the worker, and the HITs completed and drawn before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from beat_the_ai.rules.ids import short_hash


def sample_size(completed: int) -> int:
    """Return how many of a worker's completed HITs have to be reviewed in total."""
    return min(completed, math.ceil(5 * math.log10(completed) + 1)) if completed else 0


def choose(seed: int, worker: str, completed: Sequence[str], drawn: Set[str]) -> list[str]:
    """Return the HITs to add to a sample, in the order of completion; every HIT not yet drawn has the same chance."""
    missing = sample_size(len(completed)) - len(drawn)
    left = [one for one in completed if one not in drawn]
    lots = {one: short_hash(seed, worker, len(completed), one) for one in left}
    winners = set(sorted(left, key=lots.__getitem__)[: max(0, missing)])
    return [one for one in left if one in winners]
