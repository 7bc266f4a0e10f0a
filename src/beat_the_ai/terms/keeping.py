"""The times for which the personal data of a campaign are kept after its end."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field

MOST_DAYS = 36_500


class KeepingTerms(BaseModel):
    """Days after a campaign has ended; null keeps data until somebody erases them.

    `people_days` is for names, e-mail addresses and ids at a recruiter, of people who work in no other campaign,
    `answers_days` for answers to surveys, and `logs_days` for logs in the campaign's private folder.
    """

    model_config = ConfigDict(frozen=True)

    people_days: int | None = Field(default=None, ge=0, le=MOST_DAYS)
    answers_days: int | None = Field(default=None, ge=0, le=MOST_DAYS)
    logs_days: int | None = Field(default=None, ge=0, le=MOST_DAYS)

    def due(self, ended_at: datetime) -> dict[str, datetime]:
        """Return when each kind of data is due, by its name without `_days`; what is kept is not in it."""
        days = {name.removesuffix("_days"): getattr(self, name) for name in type(self).model_fields}
        return {name: ended_at + timedelta(days=count) for name, count in days.items() if count is not None}
