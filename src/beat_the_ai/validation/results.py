"""The results of validation for every work, as plain data: the input of datasets, statistics and payments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from beat_the_ai.rules.adjudication import Checking, Judged, Label
from beat_the_ai.store import PlacedItem, Snapshot
from beat_the_ai.validation.counting import CheckingByRound


class Validity(str, Enum):
    """The meaning of votes for a dataset, whatever a kind of task calls it."""

    VALID = "valid"
    INVALID = "invalid"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Vote:
    """One validator's last word on a work; `vote` is what was stored, `label` what it says.

    One that does not count is kept all the same: the validator does badly on gold.
    """

    worker: str
    assignment_id: str
    label: Label
    vote: Mapping[str, Any]
    at: datetime
    agrees: bool
    counts: bool = True


@dataclass(frozen=True)
class Outcome:
    """A work and what became of it. `label` is the final one; `cast` are all votes in the order in which they came.

    `kept`: its status lets it into a dataset as a work that beat the model; `model_right`: as one that did not.
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
    cast: tuple[Vote, ...]
    round: int = 1
    model_right: bool = False

    @property
    def votes(self) -> tuple[Vote, ...]:
        """Return the votes that count."""
        return tuple(vote for vote in self.cast if vote.counts)

    @property
    def validity(self) -> Validity:
        if self.kept:
            return Validity.VALID
        return Validity.INVALID if self.settled else Validity.UNDECIDED


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
    for candidate in snapshot.candidates:
        if candidate.writer not in without:
            checking = checking_by_round[candidate.round]
            unreliable = snapshot.unreliable.get(candidate.round, frozenset())
            author = checking.author_label(candidate.work)
            votes = [_vote(each, checking, author, unreliable) for each in placed[candidate.attempt_id]]
            cast = sorted(votes, key=lambda vote: (vote.at, vote.assignment_id))
            adjudication = candidate.adjudication
            assert adjudication is not None, "the works of the snapshot are adjudicated"
            found[candidate.attempt_id] = Outcome(
                candidate.attempt_id,
                candidate.context_id,
                candidate.writer,
                author,
                adjudication.status,
                adjudication.label,
                adjudication.kept,
                adjudication.settled,
                adjudication.votes_needed,
                tuple(cast),
                candidate.round,
                adjudication.model_right,
            )
    return found


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


def judged(validated: Iterable[Outcome]) -> list[Judged]:
    """With the votes that count."""
    return [
        Judged(each.attempt_id, each.author_label, [(vote.worker, vote.label) for vote in each.votes])
        for each in validated
    ]


def discarded_writers(validated: Iterable[Outcome], checking_by_round: CheckingByRound) -> set[str]:
    """Writers all of whose work is discarded, for what others say of it: by the rules of the last round."""
    kept: dict[str, list[bool]] = defaultdict(list)
    for each in validated:
        if each.settled:
            kept[each.writer].append(each.kept)
    return {writer for writer, settled in kept.items() if checking_by_round[max(checking_by_round)].discards(settled)}
