"""Hand-ins that are not paid by themselves: too little was tried, or the crowd does not say whose they are.

A person decides about each. Whoever tried as often as the HIT takes (`Terms.min_tries`), explained what beat the model
and gave up is not among them: giving up never forfeits the reward.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS, Assignment, PayDecision
from beat_the_ai.terms.writing import Terms

EMPTY = "empty"
TOO_FEW = "fewer tries than the HIT takes, with time left"
UNEXPLAINED = "a win without the explanation that the HIT takes, with time left"
OPEN = "not handed in"
CLOCKS_DIFFER = timedelta(seconds=5)  # the page's says that the time is over
MOST_AMONG = 5000  # names in a query: beyond that everything is read
AWAITS_CROWD = "not confirmed by the crowd yet"
WITHHELD = "withheld by a person, though it counts by now and enough was done"
OTHER_WORK = (ANOTHER_WORKERS, ANOTHER_HITS)  # whoever approves the crowd's assignment approves that


class Cause(str, Enum):
    """The question that a person has to decide."""

    EMPTY = "empty"
    TOO_FEW = "too_few"
    UNEXPLAINED = "unexplained"
    SET_ASIDE = "set_aside"
    NOT_HANDED_IN = "not_handed_in"
    NOT_CONFIRMED = "not_confirmed"
    WITHHELD = "withheld"


CAUSES = {
    EMPTY: Cause.EMPTY,
    TOO_FEW: Cause.TOO_FEW,
    UNEXPLAINED: Cause.UNEXPLAINED,
    OPEN: Cause.NOT_HANDED_IN,
    AWAITS_CROWD: Cause.NOT_CONFIRMED,
    WITHHELD: Cause.WITHHELD,
}


@dataclass(frozen=True)
class HeldBack:
    """An assignment that waits for a person. `reason` is one of `CAUSES`, or why it was set aside."""

    assignment: Assignment
    reason: str
    decision: PayDecision | None

    @property
    def cause(self) -> Cause:
        return CAUSES.get(self.reason, Cause.SET_ASIDE)


def held_back(campaign: PaidCampaign, worker: str | None = None) -> list[HeldBack]:
    """Everything that is not paid by itself, decided upon or not: writing, then validation, each as it came.

    Here and below of everybody, or of one worker.
    """
    decisions = campaign.store.pay_decisions.last()
    withheld = {name for name, decision in decisions.items() if not decision.pays}
    among = _little_done(campaign) | withheld if worker is None else None
    rows = _with_reasons(campaign, worker, among)
    reasons = [(each, reason or (WITHHELD if each.id in withheld else None)) for each, reason in rows]
    return [
        HeldBack(each, reason, _that_holds(decisions.get(each.id), reason))
        for each, reason in reasons
        if reason is not None
    ]


def _that_holds(decision: PayDecision | None, reason: str | None) -> PayDecision | None:
    """Return a person's decision, unless it would pay what later turned out to be another worker's work."""
    return None if decision is not None and decision.pays and reason in OTHER_WORK else decision


def _little_done(campaign: PaidCampaign) -> set[str]:
    """Return the counting assignments in which too little may have been done."""
    terms = [each.terms for tariff in campaign.tariffs.values() for each in tariff.each]
    found = campaign.store.attempts.hardly_tried(campaign.id, max(1, *(each.min_tries for each in terms)))
    if any(each.explains_wins for each in terms):
        found |= campaign.store.attempts.unexplained(campaign.id)
    return found | campaign.store.validations.unanswered(campaign.id)


def payable(
    campaign: PaidCampaign,
    worker: str | None = None,
    among: Collection[str] | None = None,
) -> list[Assignment]:
    """The assignments that are paid: those that count and in which enough was done; or as a person has decided.

    Only those `among` some, where these are given.
    """
    decisions = campaign.store.pay_decisions.last()

    def is_paid(assignment: Assignment, reason: str | None) -> bool:
        decision = _that_holds(decisions.get(assignment.id), reason)
        return reason is None if decision is None else decision.pays

    rows = _with_reasons(campaign, worker, among)
    return [each for each, reason in rows if is_paid(each, reason) and (among is None or each.id in among)]


def undecided(held: list[HeldBack]) -> list[HeldBack]:
    """Return the submitted ones without a decision: a crowd pays them by itself in the end."""
    return [each for each in held if each.decision is None and each.assignment.submitted_at is not None]


def _with_reasons(
    campaign: PaidCampaign, worker: str | None, among: Collection[str] | None
) -> Iterator[tuple[Assignment, str | None]]:
    """Every assignment with why it is held back; None for one that is paid by itself. Of what counts, those `among`.

    Each is read once, and what was done in it after it: one that the crowd confirms meanwhile is never taken for paid.
    """
    if among is not None and len(among) > MOST_AMONG:
        among = None
    store, taken = campaign.store, _once(campaign, worker, among)
    written = [each for each in taken if not each.is_validation]
    names = None if among is None else [each.id for each in written]
    tries = store.attempts.tries(campaign.id, worker, names)
    unexplained = store.attempts.unexplained(campaign.id, worker, names)
    for each in written:
        done = _Done(tries.get(each.id, 0), each.id not in unexplained)
        yield each, _not_counted(each) or _too_little(each, done, campaign.tariffs[each.round].of(each).terms)
    checked = [each for each in taken if each.is_validation]
    answered = store.validations.answered(campaign.id, worker, None if among is None else [each.id for each in checked])
    for each in checked:
        yield each, _not_counted(each) or (None if each.id in answered else EMPTY)


def _once(campaign: PaidCampaign, worker: str | None, among: Collection[str] | None) -> list[Assignment]:
    """Return the assignments that count, then the others, each once."""
    assignments = campaign.store.assignments
    uncounted = assignments.uncounted(campaign.id, worker=worker)
    known = {each.id for each in uncounted}
    confirmed = assignments.confirmed(campaign.id, worker=worker, among=among)
    return [each for each in confirmed if each.id not in known] + uncounted


def _not_counted(assignment: Assignment) -> str | None:
    if assignment.counts:
        return None
    if assignment.set_aside_reason is not None:
        return assignment.set_aside_reason
    return OPEN if assignment.submitted_at is None else AWAITS_CROWD


@dataclass(frozen=True)
class _Done:
    """In a HIT: how often anything was tried, and whether every win is explained."""

    tries: int
    is_explained: bool


def _too_little(assignment: Assignment, done: _Done, terms: Terms) -> str | None:
    """Return why too little was done, or None. A worker can post the crowd's form early, past the page."""
    if done.tries == 0:
        return EMPTY
    ends = assignment.accepted_at + timedelta(seconds=terms.time_limit_seconds)
    if assignment.submitted_at is None or assignment.submitted_at >= ends - CLOCKS_DIFFER:
        return None
    if done.tries < terms.min_tries:
        return TOO_FEW
    return UNEXPLAINED if terms.explains_wins and not done.is_explained else None
