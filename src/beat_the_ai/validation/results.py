"""What validation says of every question, as plain data: the input of datasets, statistics and payments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beat_the_ai.rules.adjudication import Case, Judged, Label
from beat_the_ai.store import PlacedItem, Snapshot
from beat_the_ai.validation.rulings import Rulings
from beat_the_ai.validation.validators import unreliable


@dataclass(frozen=True)
class Vote:
    """One validator's last word on a question; `vote` is what was stored, `label` what it says."""

    worker: str
    assignment_id: str
    label: Label
    vote: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True)
class Validated:
    """A question and what became of it. `label` is the final one; `votes` are in the order in which they came.

    `excluded` are votes that do not count: their validators do badly on gold.
    `kept`: its status lets it into a dataset.
    `settled`: more votes could not change the status. `votes_needed` more would make up the full number.
    """

    attempt_id: str
    context_id: str
    writer: str
    author_label: str
    status: str
    label: Label
    kept: bool
    settled: bool
    votes_needed: int
    votes: tuple[Vote, ...]
    excluded: tuple[Vote, ...] = ()
    round: int = 1


def results(snapshot: Snapshot, rulings: Rulings, without: AbstractSet[str] = frozenset()) -> dict[str, Validated]:
    """`{attempt id: what validation says}` of all questions that beat the model, were kept and count, in order.

    Questions that nobody has checked yet are in it, with no votes; votes are those that count. `without` leaves out the
    questions and the votes of those workers. Without `rulings` nobody checks anything, and there is nothing to say.
    """
    if not rulings:
        return {}
    unsound_in = {number: unreliable(snapshot.placed, checking) for number, checking in rulings.items()}
    said = {each.attempt_id: rulings[each.round].vote_label for each in snapshot.questions}
    votes: dict[str, list[Vote]] = defaultdict(list)
    for each in snapshot.placed:
        if each.vote is None or not each.counts or each.worker in without:
            continue
        if each.item.attempt_id in said:
            votes[each.item.attempt_id].append(_vote(each, said[each.item.attempt_id](each.vote.vote)))
    found = {}
    for question in snapshot.questions:
        if question.writer not in without:
            checking, unsound = rulings[question.round], unsound_in[question.round]
            every = sorted(votes[question.attempt_id], key=lambda vote: (vote.at, vote.assignment_id))
            cast = tuple(vote for vote in every if vote.worker not in unsound)
            author = checking.author_label(question.work)
            model = checking.model_label(question.prediction)
            outcome = checking.adjudicate(Case(author, model, [vote.label for vote in cast]))
            found[question.attempt_id] = Validated(
                question.attempt_id,
                question.context_id,
                question.writer,
                author,
                outcome.status,
                outcome.label,
                outcome.kept,
                outcome.settled,
                outcome.votes_needed,
                cast,
                tuple(vote for vote in every if vote.worker in unsound),
                question.round,
            )
    return found


def _vote(placed: PlacedItem, label: Label) -> Vote:
    assert placed.vote is not None, "only items with a vote come here"
    return Vote(placed.worker, placed.item.assignment_id, label, placed.vote.vote, placed.vote.created_at)


def judged(validated: Iterable[Validated]) -> list[Judged]:
    """With the votes that count."""
    return [
        Judged(each.attempt_id, each.author_label, [(vote.worker, vote.label) for vote in each.votes])
        for each in validated
    ]


def discarded_writers(validated: Iterable[Validated], rulings: Rulings) -> set[str]:
    """Writers all of whose work is discarded, for what others say of it: by the rules of the last round."""
    kept: dict[str, list[bool]] = defaultdict(list)
    for each in validated:
        if each.settled:
            kept[each.writer].append(each.kept)
    return {writer for writer, settled in kept.items() if rulings[max(rulings)].discards(settled)}


def retained(validated: Mapping[str, Validated], rulings: Rulings) -> dict[str, Validated]:
    """What may go into a validated part of a dataset: questions that are kept, of writers not discarded."""
    gone = discarded_writers(validated.values(), rulings)
    return {name: each for name, each in validated.items() if each.kept and each.writer not in gone}
