"""How well people answer: EM and word F1 of one validator per question (Bartolo et al. 2020, §4.1, Table 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from beat_the_ai.rules import squad
from beat_the_ai.statistics.intervals import bootstrap_mean
from beat_the_ai.validation.results import Validated, Vote


@dataclass(frozen=True)
class HumanPerformance:
    """Shares, 0 to 1, with 95% percentile bootstrap intervals over questions; None where no question has a vote."""

    questions: int
    exact_match: float | None
    exact_match_interval: tuple[float, float] | None
    f1: float | None
    f1_interval: tuple[float, float] | None


def human_performance(validated: Iterable[Validated], seed: int, *, adaptive: bool = False) -> HumanPerformance:
    """EM and F1 of one validator per question, drawn by the seed; "cannot be answered" counts as wrong.

    With an adaptive stop the last vote is the one that matched, and a random vote would flatter people: there it is the
    first vote, which was asked for in any case.
    """
    exact, overlap = [], []
    for each in validated:
        if each.votes:
            vote = each.votes[0] if adaptive else _drawn(each, seed)
            exact.append(float(vote.label is not None and squad.exact_match(vote.label, each.author_label)))
            overlap.append(0.0 if vote.label is None else squad.f1(vote.label, each.author_label))
    if not exact:
        return HumanPerformance(0, None, None, None, None)
    return HumanPerformance(
        len(exact),
        sum(exact) / len(exact),
        bootstrap_mean(exact),
        sum(overlap) / len(overlap),
        bootstrap_mean(overlap),
    )


def _drawn(validated: Validated, seed: int) -> Vote:
    """The same validator whatever the order in which the votes came."""
    digest = hashlib.blake2b(f"{seed}/{validated.attempt_id}".encode()).digest()
    votes = sorted(validated.votes, key=lambda vote: vote.worker)
    return votes[int.from_bytes(digest[:8], "big") % len(votes)]
