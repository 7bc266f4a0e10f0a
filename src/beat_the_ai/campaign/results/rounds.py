"""The figures of each round of a campaign."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from beat_the_ai.statistics.clustered import Bounded, Clustered
from beat_the_ai.terms.campaign import BoundCampaign, BoundRound
from beat_the_ai.validation import AdjudicatedWorks


@dataclass(frozen=True)
class RoundFigures:
    """`error_rate` is the share of the attempts that beat the model, with its interval over writers.

    It is None before there is an attempt.
    """

    campaign: str
    number: int
    opened_at: str
    frozen: dict[str, str]
    closed_at: str | None
    models: list[dict[str, str]]
    contexts: int
    hits: int
    hits_submitted: int
    attempts: int
    fooled: int
    error_rate: Bounded | None
    reward_cents: int | None
    unit: str


def figures_by_round(campaign: BoundCampaign) -> Iterator[RoundFigures]:
    """Yield the figures of each round, without discarded work, HITs excepted."""
    store, campaign_id = campaign.store, campaign.id
    kept: defaultdict[int, Clustered] = defaultdict(Clustered)
    discarded = AdjudicatedWorks(campaign).discarded_writers
    for row in store.attempts.kept(campaign_id):
        if not row.attempt.retracted and row.assignment.worker not in discarded:
            kept[row.hit.round].add(row.assignment.worker, row.attempt.fooled)
    contexts, done = store.campaigns.contexts(campaign_id), store.attempts.done_hits(campaign_id)
    for number, round_ in campaign.rounds.items():
        offered = store.campaigns.offered(campaign_id, number).keys()
        counts = len(contexts.get(number, [])), len(offered), len(offered & done)
        yield _figures_of(round_, *counts, kept[number], campaign.crowd.unit)


def _figures_of(
    round_: BoundRound, contexts: int, hits: int, hits_submitted: int, kept: Clustered, unit: str
) -> RoundFigures:
    """Return the figures of a round. `kept` has the attempts by writer, and those that beat the model."""
    pay, record = round_.terms.pay, round_.record
    return RoundFigures(
        campaign=record.campaign_id,
        number=record.number,
        opened_at=record.opened_at.isoformat(),
        frozen={stage: at.isoformat() for stage, at in record.frozen.items()},
        closed_at=None if record.closed_at is None else record.closed_at.isoformat(),
        models=[dict(model) for model in record.models],
        contexts=contexts,
        hits=hits,
        hits_submitted=hits_submitted,
        attempts=round(kept.of),
        fooled=round(kept.found),
        error_rate=kept.bounded,
        reward_cents=None if pay is None else pay.reward_cents,
        unit=unit,
    )
