"""Gold: works on which people or models are measured. No writer may collect one of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store import Store

HITS_REMEMBERED = 1024


class GoldGuard:
    """The gold of each HIT's context, by fingerprints. Threads may share a guard."""

    def __init__(self, store: Store, writing: Writing[Any, Any, Any]) -> None:
        self._store = store
        self._writing = writing
        self._fingerprints = lru_cache(HITS_REMEMBERED)(self._of_hit)

    def refuse(self, work: Value, hit_id: str) -> None:
        """Raise `InvalidInput` for a work that is gold of the HIT's context, in the words for a repeat."""
        if self._writing.fingerprint(work) in self._fingerprints(hit_id):
            raise InvalidInput(*self._writing.repeated)

    def _of_hit(self, hit_id: str) -> frozenset[str]:
        context = self._store.campaigns.hit(hit_id).context
        return frozenset(map(self._writing.fingerprint, self._writing.gold(context)))
