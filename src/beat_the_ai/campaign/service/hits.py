"""The HITs of a round: created in the store, and open to writers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from beat_the_ai.campaign.money.cost import worst_case
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.campaign.settings.planned_round import PlannedRound, number_of_hits
from beat_the_ai.payments import check_launch
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.writing import OpenHits


def create_hits(planned: PlannedRound, share: Partition = WHOLE) -> OpenHits:
    """Create the HITs of the round that are missing, and return them all, or a share of them.

    A closed round gets none more. Raises `Refused` beyond the cap, and in a closed round that never offered anything.
    """
    settings, contexts = planned.settings, planned.contexts()
    if planned.is_closed:
        return open_hits(planned, share)
    check_launch(worst_case(planned), settings.pay.cap_cents)
    first = planned.store.campaigns.offer(
        settings.name,
        contexts,
        round_number=planned.number,
        slots=settings.round.hits_per_context,
        most=number_of_hits(settings, contexts),
        brief=planned.prompt,
        part_of=planned.parts(contexts),
    )
    return open_hits(planned, share, first)


def open_hits(
    planned: PlannedRound, share: Partition = WHOLE, first: Mapping[str, str] = MappingProxyType({})
) -> OpenHits:
    """Return the HITs of the round that are in the store, `first` before others, and contexts without a win again."""
    settings = planned.settings
    return OpenHits(
        BoundCampaign.open(planned.store, settings.name),
        first,
        round_number=planned.number,
        slots=settings.round.hits_per_context,
        reoffers=settings.round.reoffers,
        brief=planned.prompt,
        affords=lambda hits: worst_case(planned, hits).worst_cents <= settings.pay.cap_cents,
        is_mine=share.has,
    )
