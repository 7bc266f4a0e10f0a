"""The rules of reviewing that workers are told of: until when they may appeal and are answered, and what they see."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field

MOST_DAYS = 365


class ReviewTerms(BaseModel):
    """Deadlines in days, and what workers see on their page.

    `answer_days` is for an answer to a message or an appeal. `appeal_days` is for an appeal, from the decision on;
    null takes no appeals. `shows_reasons`: the verdicts on their sampled HITs, with the reviewers' reasons.
    `shows_board`: a leader board of verified wins, which each worker may join under a name of their choice.
    """

    model_config = ConfigDict(frozen=True)

    answer_days: int = Field(default=7, ge=1, le=MOST_DAYS)
    appeal_days: int | None = Field(default=30, ge=1, le=MOST_DAYS)
    shows_reasons: bool = False
    shows_board: bool = False

    def answered_until(self, written_at: datetime) -> datetime:
        """Return the deadline for an answer."""
        return written_at + timedelta(days=self.answer_days)

    def appealed_until(self, decided_at: datetime) -> datetime | None:
        """Return the deadline for an appeal; None where none is taken."""
        return None if self.appeal_days is None else decided_at + timedelta(days=self.appeal_days)
