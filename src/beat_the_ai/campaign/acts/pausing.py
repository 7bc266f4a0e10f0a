"""Pause a campaign, and continue it: no worker gets a HIT of any stage meanwhile, and whoever has one finishes it."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from beat_the_ai.campaign.acts.act import Actor, Place, Report
from beat_the_ai.store import Campaign

AT_THE_CROWD = "An operator that serves it takes its HITs off the crowd within crowd.check_seconds."
BACK_AT_THE_CROWD = "An operator that serves it offers its HITs again within crowd.check_seconds."


class Pause(BaseModel):
    """Give no HIT to anybody until the campaign is continued."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "pause"

    def estimate(self, place: Place) -> None:
        """Return None: this costs nothing."""

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        has_changed = place.store.acts.pause(place.campaign_id, actor.deed(self.action, place.campaign_id))
        told = paused(place.store.campaigns.get(place.campaign_id)) or f"{place.campaign_id!r} was continued meanwhile."
        return Report(has_changed=has_changed, told=f"{told} {AT_THE_CROWD}" if has_changed else told)


class Continue(BaseModel):
    """Give HITs again."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "continue"

    def estimate(self, place: Place) -> None:
        """Return None: its HITs were agreed to before."""

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        has_changed = place.store.acts.unpause(place.campaign_id, actor.deed(self.action, place.campaign_id))
        told = f"Campaign {place.campaign_id!r} is not paused{' any more' if has_changed else ''}."
        return Report(has_changed=has_changed, told=f"{told} {BACK_AT_THE_CROWD}" if has_changed else told)


def paused(campaign: Campaign) -> str | None:
    """Say since when a campaign is paused; None if it is not."""
    if campaign.paused_at is None:
        return None
    return f"Campaign {campaign.id!r} is paused since {campaign.paused_at:%Y-%m-%d %H:%M} UTC: no worker gets a HIT."
