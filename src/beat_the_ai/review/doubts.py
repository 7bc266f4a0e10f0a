"""Works that wait for a person before they count: what is doubted, what their writers say to that, a lead's word."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from beat_the_ai.errors import UnknownName
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.journal import Journal
from beat_the_ai.rules.roles import Right
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import AttemptInCampaign, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.reviewing import MAX_REASON_CHARS


class Doubts:
    """The doubts of one campaign."""

    def __init__(self, campaign: BoundCampaign, clock: Callable[[], datetime] = now) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._journal = Journal(campaign.store, clock)

    def all(self) -> list[AttemptInCampaign]:
        """Return all doubtful attempts, the undecided ones first."""
        rows = self._store.attempts.doubtful(self._campaign_id)
        return sorted(rows, key=lambda row: row.attempt.admitted is not None)

    def settle(self, who: Reviewer, attempt: str, *, admitted: bool, reason: str) -> None:
        """Let it count as any other work, or not; the last word stands, and is in the log first.

        Raises `UnknownName`, `NotAllowed`, and `InvalidInput` for a reason that is none.
        """
        known = [row.attempt.id for row in self.all()]
        if attempt not in known:
            raise UnknownName("ATTEMPT", attempt, known)
        why = clean_line("reason", reason, max_chars=MAX_REASON_CHARS)
        with self._journal.entry(who, "admit" if admitted else "not_admit", attempt, why):
            who.check(Right.DECIDE)
            self._store.attempts.settle_doubts(attempt, admitted=admitted)
