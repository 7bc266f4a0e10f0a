"""The need of each work for validators, and the workers who may not be among them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from beat_the_ai.store import OpenWork


@dataclass(frozen=True)
class Need:
    """A work of a round, and who is giving a vote on it or waits for the crowd (`holders`)."""

    work: OpenWork
    holders: Collection[str] = ()

    @property
    def attempt_id(self) -> str:
        return self.work.attempt_id

    @property
    def context_id(self) -> str:
        return self.work.context_id

    @property
    def votes(self) -> int:
        """Return how many votes count."""
        return self.work.votes

    @property
    def pending(self) -> int:
        return len(self.holders)

    @property
    def wanted(self) -> int:
        """Return how many more votes are wanted, beside the pending ones."""
        return max(0, self.work.wanted - self.pending)

    @property
    def rank(self) -> tuple[int, str]:
        """The least validated come first, in an order that the seed decides."""
        return self.votes + self.pending, self.work.lot

    def is_free_for(self, worker: str) -> bool:
        """As far as its writer and its holders go."""
        return worker != self.work.writer and worker not in self.holders
