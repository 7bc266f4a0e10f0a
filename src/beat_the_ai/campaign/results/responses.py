"""The responses to a campaign's dataset: the votes of its validators, and the answers of other models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beat_the_ai.analysis.responses import Collected, ModelAnswers, VotedExample, collect_votes, voted_example
from beat_the_ai.campaign.models.rescoring import Rescored
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.records import Placed, pseudonym
from beat_the_ai.terms.campaign import BoundCampaign


def responses_of_campaign(placement: Placement, rescored: Sequence[Rescored]) -> Collected:
    """Return the responses to the examples in the dataset."""
    return collect_votes(_examples(placement), model_answers(rescored), placement.campaign.kind)


def model_answers(rescored: Sequence[Rescored]) -> list[ModelAnswers]:
    """Return the answers of rescored models as responses are made of them."""
    return [
        ModelAnswers(
            each.label,
            each.model.hash,
            {name: (verdict.prediction, verdict.fooled) for name, verdict in each.verdicts.items()},
        )
        for each in rescored
    ]


def voted(placed: Placed, campaign: BoundCampaign) -> VotedExample:
    """Return an attempt with the votes on it that count, under pseudonyms."""
    attempt, votes = placed.row.attempt, () if placed.outcome is None else placed.outcome.votes
    return voted_example(
        attempt.id,
        pseudonym(placed.row.assignment.worker, campaign.record),
        attempt.work,
        attempt.prediction,
        attempt.model_hash,
        [(pseudonym(vote.worker, campaign.record), vote.vote, vote.agrees) for vote in votes],
        campaign.kind,
    )


def _examples(placement: Placement) -> Iterator[VotedExample]:
    for placed in placement.attempts():
        if placed.example is not None and placed.dropped is None:
            yield voted(placed, placement.campaign)
