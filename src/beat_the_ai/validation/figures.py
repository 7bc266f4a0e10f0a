"""Figures of a campaign's votes for its report, beside their outcomes."""

from __future__ import annotations

from collections.abc import Collection

from beat_the_ai.rules.adjudication import Outcome, VoteFigures
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.validation.counting import CheckingByRound
from beat_the_ai.validation.validators import ValidatorRecord


def vote_figures(
    outcomes: Collection[Outcome],
    records: Collection[ValidatorRecord],
    checking_by_round: CheckingByRound,
    *,
    adaptive: bool = False,
) -> VoteFigures:
    """Return the figures of these outcomes and of the validators; `adaptive` as in the terms of the votes.

    Agreement is among those who vote.
    """
    saved = sum(each.adjudication.votes_needed for each in outcomes if each.adjudication.settled)
    return VoteFigures(
        validators=len(records),
        votes=sum(len(each.votes) for each in outcomes),
        votes_saved=saved if adaptive else 0,
        gold=Clustered({each.worker: (each.gold_right, each.gold) for each in records}),
        agreement=tuple(checking_by_round[max(checking_by_round)].agreement(list(outcomes))),
        excluded=sum(not each.counts for each in records),
    )
