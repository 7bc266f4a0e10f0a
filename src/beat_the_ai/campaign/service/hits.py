"""The HITs of a round: created in the store, and open to writers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from beat_the_ai.campaign.money.cost import worst_case
from beat_the_ai.campaign.service.current_round import CurrentRound
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.payments import check_launch
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.writing import Offers, OpenHits


def create_hits(planned: PlannedRound, share: Partition = WHOLE) -> OpenHits:
    """Create the HITs of the round that are missing, and return them all, or a share of them.

    A closed round gets none more. Raises `Refused` beyond the cap, and in a closed round that never offered anything.
    """
    settings, offering = planned.settings, planned.offering()
    if planned.is_closed:
        return open_hits(planned, share)
    check_launch(worst_case(planned), settings.pay.cap_cents, settings.crowd.unit)
    first = planned.store.campaigns.offer(settings.name, **vars(offering))
    return open_hits(planned, share, first)


def open_hits(
    planned: PlannedRound, share: Partition = WHOLE, first: Mapping[str, str] = MappingProxyType({})
) -> OpenHits:
    """Return the HITs of the round that are in the store, `first` before others, and contexts without a win again."""
    current = CurrentRound(planned)

    def offers() -> Offers:
        section = current().settings.round
        return Offers(section.hits_per_context, section.reoffers)

    def affords(hits: Collection[str]) -> bool:
        present = current()
        return worst_case(present, hits).worst_cents <= present.settings.pay.cap_cents

    return OpenHits(
        BoundCampaign.open(planned.store, planned.settings.name),
        first,
        round_number=planned.number,
        offers=offers,
        brief=planned.prompt,
        affords=affords,
        is_mine=share.has,
    )
