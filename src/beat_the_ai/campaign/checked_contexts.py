"""The contexts whose works others check: those of the parts that are validated, as they are at each moment."""

from __future__ import annotations

from collections.abc import Collection

from beat_the_ai.campaign.validated import divisions_of
from beat_the_ai.store import Campaign, Store
from beat_the_ai.terms.division import divide


class CheckedContexts:
    """The checked contexts of one round, which each call returns. Added or moved contexts divide them again.

    A context on which an exclusive writer has written moves to test, and stays there.
    """

    def __init__(self, store: Store, campaign: Campaign, round_number: int, parts: Collection[str]) -> None:
        self._store = store
        self._campaign = campaign
        self._round_number = round_number
        self._parts = parts
        self._known: tuple[int, frozenset[tuple[str, str]]] | None = None
        self._contexts: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        known = self._store.campaigns.number_of_contexts(self._campaign.id), self._moving()
        if known != self._known:
            self._contexts, self._known = self._divided(known[1]), known
        return self._contexts

    def _moving(self) -> frozenset[tuple[str, str]]:
        """`(context, worker)` of exclusive writers."""
        divisions = divisions_of(self._store, self._campaign).values()
        if not any(division.may_move for division in divisions):
            return frozenset()
        return frozenset(
            (context_id, worker)
            for context_id, worker in self._store.attempts.writers(self._campaign.id)
            if any(division.is_exclusive(worker) for division in divisions)
        )

    def _divided(self, moving: frozenset[tuple[str, str]]) -> frozenset[str]:
        campaigns, name = self._store.campaigns, self._campaign.id
        contexts = campaigns.contexts(name)
        part_of = divide(contexts, campaigns.parts(name), moving, divisions_of(self._store, self._campaign))
        mine = contexts.get(self._round_number, [])
        return frozenset(context.id for context in mine if part_of[context.id] in self._parts)
