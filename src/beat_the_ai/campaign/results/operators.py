"""The operators of a campaign that died while somebody waits for what they serve."""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.campaign.money.payables import run_name
from beat_the_ai.campaign.settings.partition import Partition, leased_share
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass(frozen=True)
class GoneOperator:
    """A stage of a round whose operator died. `share` is the part that it served, as in `2/4`; None for all of it."""

    stage: Stage
    round: int
    share: str | None
    operator: str

    @property
    def name(self) -> str:
        """Return the stage and the round in words."""
        share = "" if self.share is None else f", share {self.share}"
        return f"{self.stage.value} of round {self.round}{share}"


def gone_operators(campaign: BoundCampaign) -> list[GoneOperator]:
    """Return the operators that ended without giving their stage back, though HITs of it are open.

    Of a paused campaign and of a closed stage there are none. An operator on another machine is gone when its lease was
    not renewed while this process watched (`Leases.abandoned`).
    """
    abandoned = campaign.store.leases.abandoned()
    if not abandoned or campaign.record.paused_at is not None:
        return []
    found = []
    for stage in Stage:
        for number in campaign.rounds:
            run = run_name(stage, number)
            for lease in abandoned:
                share = leased_share(campaign.id, run, lease.name)
                if share is not None and _has_work(campaign, stage, number, share):
                    shown = None if share.is_whole else str(share)
                    found.append(GoneOperator(stage, number, shown, lease.holder))
    return found


def _has_work(campaign: BoundCampaign, stage: Stage, number: int, share: Partition) -> bool:
    """Return whether somebody could take a HIT of the stage if it were served."""
    if stage is Stage.SCREENING:
        samples = campaign.samples
        is_open = samples is not None and not samples.current.record.is_closed
        return is_open and number == campaign.current.record.number
    if stage is Stage.WRITING:
        return not campaign.rounds[number].record.is_closed and _has_open_hits(campaign, number, share)
    return _wants_votes(campaign, number)


def _has_open_hits(campaign: BoundCampaign, number: int, share: Partition) -> bool:
    campaigns = campaign.store.campaigns
    open_hits = campaigns.open_hits(campaign.id, number)
    return any(hit in open_hits and share.has(of) for hit, of in campaigns.offered(campaign.id, number).items())


def _wants_votes(campaign: BoundCampaign, number: int) -> bool:
    store = campaign.store
    rounds = store.campaigns.numbers_by_context(campaign.id)
    totals = store.works.totals_by_context(campaign.id, store.standings.discarded(campaign.id))
    return any(of.waiting and rounds[context][0] == number for context, of in totals.items())
