"""How each validator does: on gold, whose answers are known, and among the others."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from beat_the_ai.analysis.intervals import wilson
from beat_the_ai.rules import adjudicator, task_kind
from beat_the_ai.rules.adjudication import Adjudicator
from beat_the_ai.store import Campaign, PlacedItem, Store


@dataclass(frozen=True)
class ValidatorRecord:
    """One validator's work; the interval is Wilson's, 95%, of the share of gold answered as it is known."""

    worker: str
    hits: int
    votes: int
    cannot_be_answered: int
    gold: int
    gold_right: int
    gold_interval: tuple[float, float]


def validators(store: Store, campaign: Campaign, rules: Adjudicator | None = None) -> list[ValidatorRecord]:
    """A record for everybody with an answer that counts, by worker id."""
    rules = rules or adjudicator(campaign.task)
    of_worker: dict[str, list[PlacedItem]] = defaultdict(list)
    for each in store.validations.snapshot(campaign.id).placed:
        if each.vote is not None and each.counts:
            of_worker[each.worker].append(each)
    return [_record(worker, of_worker[worker], campaign.task, rules) for worker in sorted(of_worker)]


def _record(worker: str, placed: list[PlacedItem], task: str, rules: Adjudicator) -> ValidatorRecord:
    kind = task_kind(task)
    labels = [kind.vote_label(each.vote.vote) for each in placed if each.vote is not None]
    gold = [
        rules.agree(label, kind.work_label(each.item.gold))
        for each, label in zip(placed, labels, strict=True)
        if each.item.gold is not None
    ]
    asked = [label for each, label in zip(placed, labels, strict=True) if each.item.gold is None]
    return ValidatorRecord(
        worker=worker,
        hits=len({each.item.assignment_id for each in placed}),
        votes=len(asked),
        cannot_be_answered=asked.count(None),
        gold=len(gold),
        gold_right=sum(gold),
        gold_interval=wilson(sum(gold), len(gold)),
    )
