"""The performance of people: EM and word F1 of one validator per question (Bartolo et al. 2020, §4.1, Table 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.adjudication import Label, Outcome
from beat_the_ai.rules.protocol import Json
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.figure import Figure


def human_performance(
    outcomes: Sequence[Outcome],
    author_label: Callable[[Json], str],
    seed: int,
    *,
    adaptive: bool = False,
    normal: squad.Normal = squad.normalise,
) -> list[Figure]:
    """EM and F1 in percent, with percentile bootstrap intervals over questions; "cannot be answered" counts as wrong.

    The validator is drawn by the seed. With an adaptive stop the last vote is the one that matched, and a random vote
    would flatter people: there it is the first vote, which was asked for in any case.
    """
    exact, overlap = [], []
    for each in outcomes:
        if each.votes:
            label, author = each.votes[0].label if adaptive else _drawn(each, seed), author_label(each.work)
            exact.append(float(label is not None and squad.exact_match(label, author, normal)))
            overlap.append(0.0 if label is None else squad.f1(label, author, normal))
    return [_mean("exact match", exact), _mean("F1", overlap)]


def _mean(name: str, shares: Sequence[float]) -> Figure:
    if not shares:
        return Figure(name, None, unit="%")
    low, high = bootstrap_mean(shares)
    return Figure(name, 100 * (sum(shares) / len(shares)), (100 * low, 100 * high), len(shares), "%")


def _drawn(outcome: Outcome, seed: int) -> Label:
    """Draw the answer of one validator, the same whatever the order of the votes."""
    digest = hashlib.blake2b(f"{seed}/{outcome.attempt_id}".encode()).digest()
    votes = sorted(outcome.votes, key=lambda vote: vote.worker)
    return votes[int.from_bytes(digest[:8], "big") % len(votes)].label
