"""The contexts whose works others check: those of the parts that are validated, as they are at each moment."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import divide


class PartsNow:
    """The parts of a campaign's contexts, on each call. They are divided again when there are more, or others move.

    A context on which an exclusive writer has written moves to test, and stays there.
    """

    def __init__(self, campaign: BoundCampaign) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._known: tuple[int, frozenset[tuple[str, str]]] | None = None
        self._parts: Mapping[str, str] = {}

    def __call__(self) -> Mapping[str, str]:
        campaign = BoundCampaign.open(self._store, self._campaign_id)
        known = self._store.campaigns.number_of_contexts(campaign.id), _moving(campaign)
        if known != self._known:
            texts, kept = self._store.campaigns.texts(campaign.id), self._store.campaigns.parts(campaign.id)
            self._parts, self._known = divide(texts, kept, known[1], campaign.divisions), known
        return self._parts


class CheckedContexts:
    """The checked contexts of one round, as they are on each call."""

    def __init__(self, campaign: BoundCampaign, round_number: int, parts: Collection[str]) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._round_number = round_number
        self._checked = parts
        self._parts = PartsNow(campaign)
        self._of: Mapping[str, str] = {}
        self._contexts: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        part_of = self._parts()
        if part_of is not self._of:
            mine = self._store.campaigns.texts(self._campaign_id).get(self._round_number, [])
            self._contexts = frozenset(context.id for context in mine if part_of[context.id] in self._checked)
            self._of = part_of
        return self._contexts


def _moving(campaign: BoundCampaign) -> frozenset[tuple[str, str]]:
    """Return `(context, worker)` of exclusive writers."""
    divisions = campaign.divisions.values()
    if not any(division.may_move for division in divisions):
        return frozenset()
    return frozenset(
        (context_id, worker)
        for context_id, worker in campaign.store.attempts.writers(campaign.id)
        if any(division.is_exclusive(worker) for division in divisions)
    )
