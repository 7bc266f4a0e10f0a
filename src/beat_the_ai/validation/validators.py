"""How each validator does: on gold, whose answers are known, and among the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from beat_the_ai.analysis.intervals import wilson
from beat_the_ai.rules import task_kind
from beat_the_ai.rules.adjudication import Adjudicator
from beat_the_ai.rules.protocol import TaskKind
from beat_the_ai.store import Campaign, PlacedItem, Store
from beat_the_ai.validation.rulings import Rulings, rulings_or_default


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


def unreliable(placed: Iterable[PlacedItem], kind: TaskKind[Any, Any, Any], rules: Adjudicator) -> frozenset[str]:
    """The validators whose votes do not count: their accuracy on gold is below `rules.min_gold_accuracy`.

    The upper end of the interval has to be below it, so that nobody is left out after a mistake or two.
    """
    answers: dict[str, list[bool]] = defaultdict(list)
    for each in placed:
        if each.item.gold is not None and each.vote is not None and each.counts:
            answers[each.worker].append(_is_right(each, kind, rules))
    return frozenset(
        worker for worker, right in answers.items() if wilson(sum(right), len(right))[1] < rules.min_gold_accuracy
    )


def _is_right(placed: PlacedItem, kind: TaskKind[Any, Any, Any], rules: Adjudicator) -> bool:
    assert placed.vote is not None, "only items with a vote come here"
    assert placed.item.gold is not None, "only gold comes here"
    return rules.agree(kind.vote_label(placed.vote.vote), kind.work_label(placed.item.gold))


def validators(store: Store, campaign: Campaign, rulings: Rulings | None = None) -> list[ValidatorRecord]:
    """A record for everybody with an answer that counts, by worker id, as the rules of the last round have it."""
    rulings = rulings_or_default(store, campaign, rulings)
    rules = rulings[max(rulings)]
    of_worker: dict[str, list[PlacedItem]] = defaultdict(list)
    for each in store.validations.snapshot(campaign.id).placed:
        if each.vote is not None and each.counts:
            of_worker[each.worker].append(each)
    return [_record(worker, of_worker[worker], campaign.task, rules) for worker in sorted(of_worker)]


def _record(worker: str, placed: list[PlacedItem], task: str, rules: Adjudicator) -> ValidatorRecord:
    kind = task_kind(task)
    gold = [_is_right(each, kind, rules) for each in placed if each.item.gold is not None]
    asked = [kind.vote_label(each.vote.vote) for each in placed if each.item.gold is None and each.vote is not None]
    return ValidatorRecord(
        worker=worker,
        hits=len({each.item.assignment_id for each in placed}),
        votes=len(asked),
        cannot_be_answered=asked.count(None),
        gold=len(gold),
        gold_right=sum(gold),
        gold_interval=wilson(sum(gold), len(gold)),
        counts=worker not in unreliable(placed, kind, rules),
    )
