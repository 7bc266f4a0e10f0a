"""The outlook of a HIT's wins after submission, as far as its writer can know it before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from beat_the_ai.store import Attempt


@dataclass(frozen=True)
class Prospect:
    """The bonuses of a HIT as it stands, in US cents: once it is handed in, and what other people may add to that."""

    cents: int = 0
    possible_cents: int = 0


class Outlook(Protocol):
    """The outlook of one campaign."""

    def is_checked(self, context_id: str, worker: str) -> bool:
        """Return whether other people answer the works that this worker writes on a context."""

    def prospect(self, attempts: Sequence[Attempt], *, is_checked: bool) -> Prospect:
        """Return what these attempts, all of one HIT, bring beside the reward."""


class NoOutlook:
    """Nobody checks anything, and no bonus is paid."""

    def is_checked(self, context_id: str, worker: str) -> bool:
        return False

    def prospect(self, attempts: Sequence[Attempt], *, is_checked: bool) -> Prospect:
        return Prospect()
