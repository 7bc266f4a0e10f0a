"""How many more validators each work needs, and who may not be one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.rules.adjudication import Case, Checking
from beat_the_ai.store import Candidate, PlacedItem, Snapshot
from beat_the_ai.validation.validators import unreliable


@dataclass(frozen=True)
class Need:
    """A work, how many votes count, how many are being given or wait for the crowd, and how many more are wanted.

    `validators` are the workers who have voted on it or are about to, and those whose votes would not count.
    """

    candidate: Candidate
    votes: int
    pending: int
    wanted: int
    validators: frozenset[str]

    def may_be_checked_by(self, worker: str) -> bool:
        """Never by the writer, and by nobody twice."""
        return worker != self.candidate.writer and worker not in self.validators

    def open_to(self, worker: str) -> bool:
        return self.wanted > 0 and self.may_be_checked_by(worker)


def needs(
    snapshot: Snapshot,
    checking: Checking,
    *,
    adaptive: bool,
    held_since: datetime,
    contexts: Collection[str] | None = None,
    without: AbstractSet[str] = frozenset(),
) -> list[Need]:
    """The needs of all works, satisfied ones included, in the snapshot's order.

    Works of the workers in `without` (their work is discarded) and on contexts other than `contexts` are left out.
    HITs that were taken before `held_since` and never handed in keep nothing from others.
    """
    unsound = unreliable(snapshot.placed, checking)
    placed: dict[str, list[PlacedItem]] = defaultdict(list)
    for each in snapshot.placed:
        if each.item.attempt_id is not None:
            placed[each.item.attempt_id].append(each)
    return [
        _need(candidate, placed[candidate.attempt_id], checking, adaptive, held_since, unsound)
        for candidate in snapshot.candidates
        if candidate.writer not in without and (contexts is None or candidate.context_id in contexts)
    ]


def _need(
    candidate: Candidate,
    placed: list[PlacedItem],
    checking: Checking,
    adaptive: bool,
    held_since: datetime,
    unsound: AbstractSet[str],
) -> Need:
    given = [each for each in placed if each.vote is not None and each.counts]
    voted = {each.worker for each in given}
    cast = [each for each in given if each.worker not in unsound]
    pending = [each for each in placed if each.worker not in unsound and _is_pending(each, held_since)]
    labels = [checking.vote_label(each.vote.vote) for each in cast if each.vote is not None]
    case = Case(checking.author_label(candidate.work), checking.model_label(candidate.prediction), labels)
    outcome = checking.adjudicate(case)
    missing = 0 if adaptive and outcome.settled else outcome.votes_needed
    return Need(
        candidate=candidate,
        votes=len(cast),
        pending=len(pending),
        wanted=max(0, missing - len(pending)),
        validators=frozenset(each.worker for each in pending) | unsound | voted,
    )


def _is_pending(placed: PlacedItem, held_since: datetime) -> bool:
    """Whether a vote may still come of it: somebody is at work, or the crowd has yet to confirm what was handed in."""
    if placed.handed_in:
        return placed.held and placed.vote is not None
    return placed.held and placed.accepted_at >= held_since
