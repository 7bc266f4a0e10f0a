"""Work that is not paid by itself, and a lead's decision: pay it, or withhold it, which rejects it at the crowd."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.campaign.money.on_hold import on_hold_in
from beat_the_ai.errors import UnknownName
from beat_the_ai.payments import HeldBack
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.journal import Journal
from beat_the_ai.rules.roles import Right
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import PayDecision, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.reviewing import MAX_REASON_CHARS


@dataclass(frozen=True)
class HeldHit:
    """A HIT on hold, with its campaign: screenings have one of their own."""

    campaign: BoundCampaign
    work: HeldBack


@dataclass(frozen=True)
class PayOutcome:
    """A decision on pay, as it is kept. `at_crowd` is what the crowd did, where it has the work."""

    decision: PayDecision
    at_crowd: str | None


class Held:
    """The HITs on hold in a store. `endpoint` names another requester API than the campaign's."""

    def __init__(self, store: Store, endpoint: str | None = None, clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self._endpoint = endpoint
        self._clock = clock
        self._journal = Journal(store, clock)

    def all(self) -> list[HeldHit]:
        """Return the HITs on hold, decided upon or not."""
        campaigns = [one for one in BoundCampaign.all_in(self._store) if one.states_its_pay]
        return [HeldHit(of, work) for of in campaigns for work in on_hold_in(of)]

    def decide(
        self, who: Reviewer, assignment: str, *, pays: bool, reason: str, category: str | None = None
    ) -> PayOutcome:
        """Pay a HIT or withhold it; the last decision counts, and is in the log first.

        Raises `UnknownName`, `NotAllowed`, and as `at_the_crowd.decide` does.
        """
        from beat_the_ai.campaign.money.at_the_crowd import decide  # what it imports takes half a second

        on_hold = {one.work.assignment.id: one for one in self.all()}
        if assignment not in on_hold:
            raise UnknownName("ASSIGNMENT", assignment, on_hold)
        held, why = on_hold[assignment], clean_line("reason", reason, max_chars=MAX_REASON_CHARS)
        note = f"{category}: {why}" if category else why
        with self._journal.entry(who, "release" if pays else "withhold", assignment, note):
            who.check(Right.DECIDE)
            decision = PayDecision(assignment, pays, who.name, why, self._clock(), category)
            return PayOutcome(*decide(held.campaign, held.work, decision, self._endpoint))
