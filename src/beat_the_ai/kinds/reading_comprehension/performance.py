"""The performance of people: EM and word F1 of one validator per question (Bartolo et al. 2020, §3.3, Table 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.adjudication import Outcome, Vote
from beat_the_ai.rules.protocol import Json
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure


def human_performance(
    outcomes: Sequence[Outcome],
    author_label: Callable[[Json], str],
    seed: int,
    *,
    adaptive: bool = False,
    normal: squad.Normal = squad.normalise,
) -> list[Figure]:
    """EM and F1 in percent, with intervals over validators; "cannot be answered" counts as wrong.

    The validator is drawn by the seed. With an adaptive stop the last vote is the one that matched, and a random vote
    would flatter people: there it is the first vote, which was asked for in any case.
    """
    exact, overlap, asked = Clustered(), Clustered(), 0
    for each in outcomes:
        if each.votes:
            vote, author = each.votes[0] if adaptive else _drawn(each, seed), author_label(each.work)
            label = vote.label
            exact.add(vote.worker, label is not None and squad.exact_match(label, author, normal))
            overlap.add(vote.worker, 0.0 if label is None else squad.f1(label, author, normal))
            asked += 1
    return [Figure.percent("exact match", exact.share, asked), Figure.percent("F1", overlap.share, asked)]


def _drawn(outcome: Outcome, seed: int) -> Vote:
    """Draw the vote of one validator, by the order in which they voted: an export has that order, and no raw ids."""
    digest = hashlib.blake2b(f"{seed}/{outcome.attempt_id}".encode()).digest()
    votes = sorted(outcome.votes, key=lambda vote: (vote.at, vote.assignment_id))
    return votes[int.from_bytes(digest[:8], "big") % len(votes)]
