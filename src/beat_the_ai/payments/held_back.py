"""Hand-ins that are not paid by themselves: nothing was tried in them, or the crowd does not say whose they are.

A person decides about each. Whoever tried and gave up is not among them: giving up never forfeits the reward.
"""

from __future__ import annotations

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
    writing, validation = _writing(store, campaign_id, worker), _validation(store, campaign_id, worker)
    return [
        *(HeldBack(each, reason, decisions.get(each.id)) for each, reason in writing if reason is not None),
        *(HeldBack(each, reason, decisions.get(each.id)) for each, reason in validation if reason is not None),
    ]


def payable(
    store: Store, campaign_id: str, worker: str | None = None
) -> tuple[list[Assignment], list[ValidationAssignment]]:
    """The assignments that are paid: those that count and in which something was tried; or as a person has decided."""
    decisions = store.pay_decisions.last()

    def is_paid(assignment: Assignment | ValidationAssignment, reason: str | None) -> bool:
        decision = decisions.get(assignment.id)
        return reason is None if decision is None else decision.pays

    writing, validation = _writing(store, campaign_id, worker), _validation(store, campaign_id, worker)
    return [each for each, reason in writing if is_paid(each, reason)], [
        each for each, reason in validation if is_paid(each, reason)
    ]


def undecided(held: list[HeldBack]) -> list[HeldBack]:
    """Those that somebody has handed in, and nobody has decided upon: a crowd pays them by itself in the end."""
    return [each for each in held if each.decision is None and each.assignment.submitted_at is not None]


def _writing(store: Store, campaign_id: str, worker: str | None) -> list[tuple[Assignment, str | None]]:
    """Every assignment with why it is held back; None for one that is paid by itself.

    Each is read once, and what was tried in it after it: one that the crowd confirms meanwhile is never taken for paid.
    """
    uncounted = store.attempts.uncounted(campaign_id, worker)
    known = {each.id for each in uncounted}
    confirmed = [each for each in store.attempts.confirmed(campaign_id, worker) if each.id not in known]
    tried = store.attempts.tried(campaign_id, worker)
    return [
        *((each, None if each.id in tried else EMPTY) for each in confirmed),
        *((each, _reason(each)) for each in uncounted),
    ]


def _validation(store: Store, campaign_id: str, worker: str | None) -> list[tuple[ValidationAssignment, str | None]]:
    """As `_writing`."""
    uncounted = store.validations.uncounted(campaign_id, worker)
    known = {each.id for each in uncounted}
    confirmed = [each for each in store.validations.confirmed(campaign_id, worker) if each.id not in known]
    answered = store.validations.answered(campaign_id, worker)
    return [
        *((each, None if each.id in answered else EMPTY) for each in confirmed),
        *((each, _reason(each)) for each in uncounted),
    ]


def _reason(assignment: Assignment | ValidationAssignment) -> str:
    if assignment.set_aside_reason is not None:
        return assignment.set_aside_reason
    return OPEN if assignment.submitted_at is None else AWAITS_CROWD
