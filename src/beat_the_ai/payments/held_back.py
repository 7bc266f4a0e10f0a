"""Hand-ins that are not paid by themselves: nothing was tried in them, or the crowd does not say whose they are.

A person decides about each. Whoever tried and gave up is not among them: giving up never forfeits the reward.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from beat_the_ai.store import Assignment, PayDecision, Store, ValidationAssignment

EMPTY = "empty"
OPEN = "not handed in"
AWAITS_CROWD = "not confirmed by the crowd yet"


class Kind(str, Enum):
    """What a person has to decide about."""

    EMPTY = "empty"
    SET_ASIDE = "set_aside"
    NOT_HANDED_IN = "not_handed_in"
    NOT_CONFIRMED = "not_confirmed"


KINDS = {EMPTY: Kind.EMPTY, OPEN: Kind.NOT_HANDED_IN, AWAITS_CROWD: Kind.NOT_CONFIRMED}


@dataclass(frozen=True)
class HeldBack:
    """An assignment that waits for a person. `reason` is `EMPTY`, `OPEN`, `AWAITS_CROWD`, or why it was set aside."""

    assignment: Assignment | ValidationAssignment
    reason: str
    decision: PayDecision | None

    @property
    def kind(self) -> Kind:
        return KINDS.get(self.reason, Kind.SET_ASIDE)


def held_back(store: Store, campaign_id: str, worker: str | None = None) -> list[HeldBack]:
    """Everything that is not paid by itself, decided upon or not: writing, then validation, each as it came.

    Here and below of everybody, or of one worker.
    """
    decisions = store.pay_decisions.last()
    writing = _writing(store, campaign_id, worker)
    validation = _validation(store, campaign_id, worker)
    return [
        *(HeldBack(each, reason, decisions.get(each.id)) for each, reason in writing),
        *(HeldBack(each, reason, decisions.get(each.id)) for each, reason in validation),
    ]


def payable(
    store: Store, campaign_id: str, worker: str | None = None
) -> tuple[list[Assignment], list[ValidationAssignment]]:
    """The assignments that are paid: those that count and in which something was tried; or as a person has decided."""
    decisions = store.pay_decisions.last()
    held = {each.assignment.id for each in held_back(store, campaign_id, worker)}

    def is_paid(assignment: Assignment | ValidationAssignment) -> bool:
        decision = decisions.get(assignment.id)
        return assignment.id not in held if decision is None else decision.pays

    asked = (campaign_id, worker)
    writing = [*store.attempts.confirmed(*asked), *store.attempts.uncounted(*asked)]
    validation = [*store.validations.confirmed(*asked), *store.validations.uncounted(*asked)]
    return [each for each in writing if is_paid(each)], [each for each in validation if is_paid(each)]


def undecided(held: list[HeldBack]) -> list[HeldBack]:
    """Those that somebody has handed in, and nobody has decided upon: a crowd pays them by itself in the end."""
    return [each for each in held if each.decision is None and each.assignment.submitted_at is not None]


def _writing(store: Store, campaign_id: str, worker: str | None) -> Iterator[tuple[Assignment, str]]:
    tried = store.attempts.tried(campaign_id, worker)
    for assignment in store.attempts.confirmed(campaign_id, worker):
        if assignment.id not in tried:
            yield assignment, EMPTY
    for assignment in store.attempts.uncounted(campaign_id, worker):
        yield assignment, _reason(assignment)


def _validation(store: Store, campaign_id: str, worker: str | None) -> Iterator[tuple[ValidationAssignment, str]]:
    answered = store.validations.answered(campaign_id, worker)
    for assignment in store.validations.confirmed(campaign_id, worker):
        if assignment.id not in answered:
            yield assignment, EMPTY
    for assignment in store.validations.uncounted(campaign_id, worker):
        yield assignment, _reason(assignment)


def _reason(assignment: Assignment | ValidationAssignment) -> str:
    if assignment.set_aside_reason is not None:
        return assignment.set_aside_reason
    return OPEN if assignment.submitted_at is None else AWAITS_CROWD
