"""The results of validation for every work, as plain data: the input of datasets, statistics and payments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from beat_the_ai.rules.adjudication import NOT_ADJUDICATED, Outcome, Vote
from beat_the_ai.rules.checking import Checking
from beat_the_ai.store import PlacedItem, Snapshot
from beat_the_ai.validation.counting import CheckingByRound


def results(
    snapshot: Snapshot, checking_by_round: CheckingByRound, without: AbstractSet[str] = frozenset()
) -> dict[str, Outcome]:
    """Return `{attempt id: outcome}` of all works that beat the model, were kept and count, in order.

    Works that nobody has checked yet are in it, with no votes. `without` leaves out the works and the votes of revoked
    workers. Without rules nobody checks anything, and there is nothing to say. The works of the snapshot have been
    adjudicated (`Works.adjudicate`).
    """
    if not checking_by_round:
        return {}
    placed: dict[str, list[PlacedItem]] = defaultdict(list)
    for each in snapshot.placed:
        if each.item.attempt_id is not None and each.vote is not None and each.counts and each.worker not in without:
            placed[each.item.attempt_id].append(each)
    found = {}
    for outcome in snapshot.outcomes:
        if outcome.writer not in without:
            assert outcome.adjudication is not NOT_ADJUDICATED, "the works of the snapshot are adjudicated"
            checking = checking_by_round[outcome.round]
            unreliable = snapshot.unreliable.get(outcome.round, frozenset())
            author = checking.author_label(outcome.work)
            votes = [_vote(each, checking, author, unreliable) for each in placed[outcome.attempt_id]]
            cast = sorted(votes, key=lambda vote: (vote.at, vote.assignment_id))
            found[outcome.attempt_id] = replace(outcome, cast=tuple(cast))
    return found


def are_divided(votes: Sequence[Vote], checking: Checking) -> bool:
    """Return whether votes have different labels."""
    first, *others = [vote.label for vote in votes] or [None]
    return any(not checking.agree(one, first) if first is not None else one is not None for one in others)


def _vote(placed: PlacedItem, checking: Checking, author: str, unreliable: AbstractSet[str]) -> Vote:
    assert placed.vote is not None, "only items with a vote come here"
    label = checking.vote_label(placed.vote.vote)
    return Vote(
        placed.worker,
        placed.item.assignment_id,
        label,
        placed.vote.vote,
        placed.vote.created_at,
        checking.agree(label, author),
        placed.worker not in unreliable,
    )
