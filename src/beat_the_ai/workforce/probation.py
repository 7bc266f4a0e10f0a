"""Probation: a worker's first HITs are looked at before there are more, so that a campaign is not lost in an afternoon.

A worker gets `first_hits` HITs. There are more as soon as so many of theirs have been reviewed as are sampled of that
number; what the reviews say is a matter of the worker's standing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.errors import Refused
from beat_the_ai.messages import said
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now
from beat_the_ai.workforce.sampling import sample_size
from beat_the_ai.workforce.verdicts import standing_reviews


@dataclass(frozen=True)
class Probation:
    """One campaign's. A HIT that was not handed in, and cannot be any more, does not count.

    Where a crowd does not vouch for names, only what it has confirmed counts: somebody else may hold the rest.
    """

    store: Store
    campaign_id: str
    first_hits: int
    time_limit_seconds: float
    clock: Callable[[], datetime] = now

    def check(self, worker: str, *, identity_verified: bool = True) -> None:
        """Raises `Refused` while a worker has to wait for reviews."""
        taken = self.store.assignments.taken_by(self.campaign_id, Stage.WRITING, worker)
        at, seconds = self.clock(), self.time_limit_seconds
        if (
            sum(one.counts or (identity_verified and one.may_come_to_count(seconds, at)) for one in taken)
            < self.first_hits
        ):
            return
        reviewed = standing_reviews(self.store.reviews.of_campaign(self.campaign_id, worker=worker))
        if sum(one.id in reviewed for one in taken) < sample_size(self.first_hits):
            raise Refused(said("refusals.probation"))
