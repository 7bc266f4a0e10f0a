"""Everybody who has had a HIT of a campaign: what they wrote, how often they beat the model, and what they earn."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from beat_the_ai.analysis.rounds import Errors
from beat_the_ai.campaign.money.payables import payables_of
from beat_the_ai.campaign.results.tried_hits import tried_hits
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.payments import Hourly, wages
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass
class Person:
    """One worker. `attempts` are all that count, with those that were taken back and those of revoked writers.

    `errors` are without these. `seconds` went by in the HITs of `errors`.
    """

    worker: str
    last_seen_at: datetime
    standing: str | None = None
    attempts: int = 0
    errors: Errors = field(default_factory=Errors)
    seconds: float = 0.0
    hourly: Hourly | None = None

    @property
    def minutes_per_win(self) -> float | None:
        return self.seconds / 60 / self.errors.errors if self.errors.errors else None


def people_of(campaign: BoundCampaign) -> list[Person]:
    """Return everybody, in the order of their ids."""
    store, payables = campaign.store, payables_of(campaign)
    found = {worker: Person(worker, at) for worker, at in store.assignments.last_seen(campaign.id).items()}
    for worker, attempts in store.attempts.numbers_by_worker(campaign.id).items():
        found[worker].attempts = attempts
    for hit in tried_hits(campaign, parts_of(campaign)):
        found[hit.worker].errors.add(hit.trials)
        found[hit.worker].seconds += hit.seconds
    for wage in wages(campaign, payables.owed, payables.held)[0]:
        if wage.worker in found:
            found[wage.worker].hourly = wage.hourly
    for worker, event in store.standings.current(campaign.id).items():
        if worker in found:
            found[worker].standing = event.standing
    return [found[worker] for worker in sorted(found)]
