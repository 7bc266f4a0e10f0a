"""Personal data whose time is over: what is due in a campaign, and erasing it. Nothing here happens by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.terms.campaign import BoundCampaign

PEOPLE, ANSWERS, LOGS = "people", "answers", "logs"


@dataclass(frozen=True)
class Due:
    """The time at which each kind of data of a campaign is due. Without an end there is none yet.

    `is_asked`: the campaign's settings name a time.
    """

    ended_at: datetime | None
    times: Mapping[str, datetime]
    is_asked: bool

    @classmethod
    def of(cls, campaign: BoundCampaign) -> Due:
        ended_at = ended(campaign)
        is_asked = any(days is not None for days in campaign.keeping.model_dump().values())
        return cls(ended_at, {} if ended_at is None else campaign.keeping.due(ended_at), is_asked)

    def by(self, at: datetime) -> set[str]:
        """Return the kinds of data whose time is over."""
        return {name for name, time in self.times.items() if time <= at}

    def words(self, at: datetime) -> str:
        """Say how long data are kept."""
        if not self.is_asked:
            return "kept until you erase them"
        if self.ended_at is None:
            return "kept; times run from the end of the campaign"
        over = self.by(at)
        words = {name: "due since" if name in over else "due on" for name in self.times}
        return ", ".join(f"{name} {words[name]} {time:%Y-%m-%d}" for name, time in self.times.items())


def ended(campaign: BoundCampaign) -> datetime | None:
    """Return when the last round was closed, or the last HIT submitted after that; None while a round is open."""
    closed = [each.record.closed_at for each in campaign.rounds.values()]
    if not closed or None in closed:
        return None
    last = [at for at in closed if at is not None]
    submitted = campaign.store.assignments.last_submission(campaign.id)
    return max([*last, *([] if submitted is None else [submitted])])


def empty_logs(out: Path) -> list[Path]:
    """Empty the logs of a campaign's private folder, and return those that had anything in them."""
    logs = [path for path in sorted((out / PRIVATE).rglob("*.log")) if path.stat().st_size]
    for path in logs:
        with path.open("r+b") as file:
            file.truncate(0)
    return logs
