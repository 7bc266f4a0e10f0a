"""The assessment of a worker by reviews, and the effect of a revocation. A person decides, and nothing changes here.

"If workers fall below an 80% success threshold at any point, their qualification is revoked and their work is discarded
in its entirety" (Bartolo et al. 2020, §3.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from beat_the_ai.errors import InvalidInput
from beat_the_ai.payments import Ledger, Owed, State
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import QueuedWorker
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.reviewing import ReviewedSample
from beat_the_ai.workforce.standing import Standing
from beat_the_ai.workforce.verdicts import accepted, tally_of


@dataclass(frozen=True)
class Assessment:
    """One worker's reviews. `low` and `high` are the 95% Wilson interval of the accuracy.

    `recommended`: revocation is, because the running accuracy, in the order of review, was once below the threshold.
    """

    worker: str
    standing: Standing | None
    completed: int
    sampled: int
    reviewed: int
    accepted: int
    low: float
    high: float
    recommended: bool

    @property
    def accuracy(self) -> float | None:
        return self.accepted / self.reviewed if self.reviewed else None


@dataclass(frozen=True)
class Consequences:
    """The effect of a revocation: what it would discard and what it would keep. Amounts are US cents without fees.

    `wins` beat the AI and were not taken back; they would leave the dataset. `owed_cents` is earned and not paid yet:
    it will be, as `paid_cents` was.
    """

    worker: str
    hits: int
    attempts: int
    wins: int
    paid_cents: int
    owed_cents: int


def assess(
    campaign: BoundCampaign,
    *,
    min_reviews: int = 1,
    worker: str | None = None,
) -> list[Assessment]:
    """Every worker with a HIT that counts, or who has a standing, in the order of their ids; or one `worker` alone.

    The paper recommends from the first review on; `min_reviews` asks for more before one bad HIT costs a worker all.
    """
    if min_reviews < 1:
        raise InvalidInput("min_reviews", f"min_reviews={min_reviews} was given; it must be at least 1.")
    store, campaign_id = campaign.store, campaign.id
    completed = store.assignments.completed(campaign_id, Stage.WRITING, worker)
    reviewed = ReviewedSample.read(campaign, worker)
    sampled = Counter(reviewed.workers.values())
    outcomes: dict[str, list[bool]] = {}
    for assignment, reviews in reviewed.standing.items():
        outcomes.setdefault(reviewed.workers[assignment], []).append(accepted(reviews.values()))
    current = {event.worker: event for event in store.standings.history(campaign_id, worker)}
    assessed = []
    for name in sorted(completed.keys() | current.keys()):
        stands = Standing(current[name].standing) if name in current else None
        tally = tally_of(outcomes.get(name, []))
        interval = wilson(tally.accepted, tally.reviewed)
        numbers = (completed.get(name, 0), sampled[name], tally.reviewed, tally.accepted)
        assessed.append(Assessment(name, stands, *numbers, *interval, tally.below_at >= min_reviews))
    return assessed


def assessment_of(one: QueuedWorker) -> Assessment:
    """Return the assessment of a worker in the review queue, from the kept tallies."""
    standing = None if one.standing is None else Standing(one.standing)
    numbers = (one.completed, one.sampled, one.reviewed, one.accepted)
    return Assessment(one.worker, standing, *numbers, *wilson(one.accepted, one.reviewed), one.recommended)


def consequences(campaign: BoundCampaign, worker: str, owed: Iterable[Owed] = ()) -> Consequences:
    """Collect what revoking a worker does. `owed` is everything earned; without it, only the ledger is known."""
    store = campaign.store
    hits = store.assignments.confirmed(campaign.id, Stage.WRITING, worker=worker)
    attempts = [one for made in store.attempts.of_assignments([hit.id for hit in hits]).values() for one in made]
    theirs = {payment.key: payment for payment in Ledger(store.database, campaign.id).payments(worker=worker)}
    paid_cents = sum(payment.cents for payment in theirs.values() if payment.state is State.CONFIRMED)
    unwritten = [one for one in owed if one.key.worker == worker and one.key not in theirs]
    return Consequences(
        worker,
        len(hits),
        len(attempts),
        sum(attempt.won for attempt in attempts),
        paid_cents,
        sum(payment.cents for payment in theirs.values()) - paid_cents + sum(one.cents for one in unwritten),
    )
