"""Figures of a campaign's votes for its report, beside their outcomes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from beat_the_ai.statistics.figure import Figure
from beat_the_ai.store import PlacedItem
from beat_the_ai.validation.counting import CheckingByRound
from beat_the_ai.validation.results import Outcome, judged
from beat_the_ai.validation.validators import ValidatorRecord, validators


@dataclass(frozen=True)
class Summary:
    """`votes` are those that count; `votes_saved` those that settled works were spared by an adaptive stop.

    `agreement` is among those who vote.
    """

    votes: int
    votes_saved: int
    agreement: tuple[Figure, ...]
    validators: tuple[ValidatorRecord, ...]


def summary(
    outcomes: Collection[Outcome],
    placed: Iterable[PlacedItem],
    checking_by_round: CheckingByRound,
    *,
    adaptive: bool = False,
) -> Summary:
    """Return the figures of these outcomes and of all placed works; `adaptive` as in the terms of the votes."""
    saved = sum(each.votes_needed for each in outcomes if each.settled)
    return Summary(
        votes=sum(len(each.votes) for each in outcomes),
        votes_saved=saved if adaptive else 0,
        agreement=tuple(checking_by_round[max(checking_by_round)].agreement(judged(outcomes))),
        validators=tuple(validators(placed, checking_by_round)),
    )
