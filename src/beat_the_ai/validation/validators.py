"""The record of each validator: on gold, whose answers are known, and among the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from beat_the_ai.rules.checking import Checking
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import PlacedItem
from beat_the_ai.validation.counting import CheckingByRound, is_reliable


@dataclass(frozen=True)
class ValidatorRecord:
    """One validator's work; the interval is Wilson's, 95%, of the share of gold answered as it is known.

    `counts`: so do their votes.
    """

    worker: str
    hits: int
    votes: int
    cannot_be_answered: int
    gold: int
    gold_right: int
    gold_interval: tuple[float, float]
    counts: bool


def gold_answers(placed: Iterable[PlacedItem], checking: Checking) -> dict[str, list[bool]]:
    """Return by validator whether each gold answer was right. Gold left out in a HIT with any vote is wrong."""
    of_hit: dict[str, list[PlacedItem]] = defaultdict(list)
    for each in placed:
        if each.counts:
            of_hit[each.item.assignment_id].append(each)
    answers: dict[str, list[bool]] = defaultdict(list)
    for items in of_hit.values():
        if any(each.vote is not None for each in items):
            answers[items[0].worker] += [_is_right(each, checking) for each in items if each.item.gold is not None]
    return answers


def _is_right(placed: PlacedItem, checking: Checking) -> bool:
    assert placed.item.gold is not None, "only gold comes here"
    if placed.vote is None:
        return False
    return checking.agree(checking.vote_label(placed.vote.vote), checking.author_label(placed.item.gold))


def validators(placed: Iterable[PlacedItem], checking_by_round: CheckingByRound) -> list[ValidatorRecord]:
    """A record for everybody with an answer that counts, by worker id, as the rules of the last round have it."""
    checking = checking_by_round[max(checking_by_round)]
    of_worker: dict[str, list[PlacedItem]] = defaultdict(list)
    for each in placed:
        if each.counts:
            of_worker[each.worker].append(each)
    return [
        _record(worker, items, checking)
        for worker, items in sorted(of_worker.items())
        if any(each.vote is not None for each in items)
    ]


def _record(worker: str, placed: list[PlacedItem], checking: Checking) -> ValidatorRecord:
    gold = gold_answers(placed, checking).get(worker, [])
    asked = [checking.vote_label(each.vote.vote) for each in placed if each.item.gold is None and each.vote is not None]
    return ValidatorRecord(
        worker=worker,
        hits=len({each.item.assignment_id for each in placed if each.vote is not None}),
        votes=len(asked),
        cannot_be_answered=asked.count(None),
        gold=len(gold),
        gold_right=sum(gold),
        gold_interval=wilson(sum(gold), len(gold)),
        counts=is_reliable(sum(gold), len(gold), checking),
    )
