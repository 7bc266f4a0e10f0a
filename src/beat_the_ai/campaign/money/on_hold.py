"""Work that is not paid by itself and that nobody has decided upon: how much of it there is, and what it would cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.payments import Cause, HeldBack, cost_if_paid, held_back
from beat_the_ai.rules.amounts import show
from beat_the_ai.rules.deadlines import may_be_handed_in
from beat_the_ai.store import Assignment, now
from beat_the_ai.terms.campaign import BoundCampaign

WORDS = {
    Cause.EMPTY: "empty, waiting for a person",
    Cause.TOO_FEW: "handed in early, with fewer tries than a HIT takes",
    Cause.UNEXPLAINED: "handed in early, with a win that is not explained",
    Cause.SET_ASIDE: "set aside, not work that the crowd has",
    Cause.NOT_HANDED_IN: "never handed in",
    Cause.NOT_CONFIRMED: "not confirmed by the crowd yet",
    Cause.WITHHELD: "withheld, though it counts by now",
}
SETTLES = "beat-the-ai review held CAMPAIGN"
ASKS = "beat-the-ai launch --resume --out CAMPAIGN"


@dataclass(frozen=True)
class OnHold:
    """So many assignments, and what they would cost if they were paid, with fees."""

    assignments: int
    cents: int

    def words(self, unit: str) -> str:
        return f"{self.assignments} {'HIT' if self.assignments == 1 else 'HITs'}, {show(self.cents, unit)} if paid"


def explained(cause: Cause, reason: str) -> str:
    """Return why a HIT is on hold, in words."""
    return WORDS[cause] + (f": {reason}" if cause is Cause.SET_ASIDE else "")


def on_hold_in(campaign: BoundCampaign) -> list[HeldBack]:
    """Return everything that a person decides about, decided upon or not, without what somebody may be working on."""
    return _left(campaign, held_back(campaign))


def _left(campaign: BoundCampaign, held: Iterable[HeldBack]) -> list[HeldBack]:
    at = now()
    return [one for one in held if one.cause is not Cause.NOT_HANDED_IN or not may_be_at_work(campaign, one, at)]


def at_work(campaign: BoundCampaign, held: Iterable[HeldBack]) -> list[Assignment]:
    """Return the assignments that somebody may be working on, who has the HIT still."""
    at = now()
    return [
        one.assignment
        for one in held
        if one.cause is Cause.NOT_HANDED_IN and one.assignment.place is not None and may_be_at_work(campaign, one, at)
    ]


def may_be_at_work(campaign: BoundCampaign, one: HeldBack, at: datetime) -> bool:
    """Return whether the worker of a HIT that was not handed in may still do so."""
    assignment = one.assignment
    if assignment.is_validation and assignment.place is None:
        return False
    of_round = campaign.rounds[assignment.round].terms
    terms = of_round.validation.terms if assignment.is_validation else campaign.tariffs[assignment.round].terms
    return may_be_handed_in(assignment.accepted_at, terms.time_limit_seconds, at)


def on_hold_by_cause(campaign: BoundCampaign, held: Iterable[HeldBack]) -> dict[str, OnHold]:
    """Return the waiting HITs among those on hold, by cause, for each cause that has any."""
    by_cause: dict[Cause, list[HeldBack]] = {cause: [] for cause in Cause}
    for one in _left(campaign, held):
        if one.decision is None:
            by_cause[one.cause].append(one)
    return {
        cause.value: OnHold(len(of_cause), cost_if_paid(campaign, of_cause))
        for cause, of_cause in by_cause.items()
        if of_cause
    }


def on_hold_rows(waiting: dict[str, OnHold], unit: str) -> Iterable[tuple[str, str]]:
    """For tables: what there is, and the commands that settle it."""
    for kind, each in waiting.items():
        yield WORDS[Cause(kind)], each.words(unit)
    for command in commands_to_settle(waiting):
        yield "settle these with", command


def commands_to_settle(waiting: Collection[str]) -> Iterable[str]:
    """Return the commands that settle what waits, by kind: the crowd's word comes while the campaign is served."""
    if waiting:
        yield SETTLES
    if Cause.NOT_CONFIRMED.value in waiting:
        yield ASKS
