"""The contexts whose works others check: those of the parts that are validated, as they are at each moment."""

from __future__ import annotations

from collections.abc import Collection

from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import divide


class CheckedContexts:
    """The checked contexts of one round, on each call. They are divided again when there are more, or others move.

    A context on which an exclusive writer has written moves to test, and stays there.
    """

    def __init__(self, campaign: BoundCampaign, round_number: int, parts: Collection[str]) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._round_number = round_number
        self._parts = parts
        self._known: tuple[int, frozenset[tuple[str, str]]] | None = None
        self._contexts: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        campaign = BoundCampaign.open(self._store, self._campaign_id)
        known = self._store.campaigns.number_of_contexts(campaign.id), _moving(campaign)
        if known != self._known:
            self._contexts, self._known = self._divided(campaign, known[1]), known
        return self._contexts

    def _divided(self, campaign: BoundCampaign, moving: frozenset[tuple[str, str]]) -> frozenset[str]:
        contexts = self._store.campaigns.contexts(campaign.id)
        part_of = divide(contexts, self._store.campaigns.parts(campaign.id), moving, campaign.divisions)
        mine = contexts.get(self._round_number, [])
        return frozenset(context.id for context in mine if part_of[context.id] in self._parts)


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
