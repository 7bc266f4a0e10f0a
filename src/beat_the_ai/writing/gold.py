"""Gold: works on which people or models are measured. No writer may collect one of them."""

from __future__ import annotations

from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import Context, Value


class GoldGuard:
    """The gold of each context of a campaign, by fingerprints. Threads may share a guard."""

    def __init__(self, writing: Writing[Any, Any, Any]) -> None:
        self._writing = writing
        self._fingerprints: dict[str, frozenset[str]] = {}

    def refuse(self, work: Value, context: Context) -> None:
        """Raise `InvalidInput` for a work that is gold of the context, in the words for a repeat."""
        if self._writing.fingerprint(work) in self._of(context):
            raise InvalidInput(*self._writing.repeated)

    def _of(self, context: Context) -> frozenset[str]:
        if context.id not in self._fingerprints:
            gold = self._writing.gold(context)
            self._fingerprints[context.id] = frozenset(map(self._writing.fingerprint, gold))
        return self._fingerprints[context.id]
