"""The round in service as its records have it at each moment: its requester may change them meanwhile."""

from __future__ import annotations

from beat_the_ai.campaign.money.cost import worst_case
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import settings_of
from beat_the_ai.store import Mark
from beat_the_ai.terms.campaign import BoundCampaign


class CurrentRound:
    """The round with its present settings on each call; they are read again when the records have changed."""

    def __init__(self, planned: PlannedRound) -> None:
        self._known: tuple[Mark | None, PlannedRound] = (None, planned)

    def __call__(self) -> PlannedRound:
        known, planned = self._known
        store, settings = planned.store, planned.settings
        mark = store.acts.mark(settings.name, planned.number)
        if mark is not None and mark != known:
            campaign = BoundCampaign.open(store, settings.name)
            present = settings_of(campaign, settings.out, number=planned.number, given=settings)
            planned = PlannedRound(store, present)
            self._known = mark, planned
        return planned


class ModelsAllowance:
    """The most that language models may cost: what the cap leaves beside the worst case of people's pay."""

    def __init__(self, planned: PlannedRound) -> None:
        self._current = CurrentRound(planned)
        self._known: tuple[PlannedRound, int] | None = None

    def __call__(self) -> int:
        """Return it in cents, counted again when the records of the round have changed."""
        planned = self._current()
        if self._known is None or self._known[0] is not planned:
            self._known = planned, max(0, planned.settings.pay.cap_cents - worst_case(planned).people_cents)
        return self._known[1]
