"""What becomes of a HIT's wins after it is handed in, as far as its writer can be told before."""

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
    """Of one campaign."""

    def is_checked(self, context_id: str, worker: str) -> bool:
        """Whether other people answer the works that this worker writes on a context."""

    def prospect(self, attempts: Sequence[Attempt], *, is_checked: bool) -> Prospect:
        """What these attempts, all of one HIT, bring beside the reward."""


class NoOutlook:
    """Nobody checks anything, and no bonus is paid."""

    def is_checked(self, context_id: str, worker: str) -> bool:
        return False

    def prospect(self, attempts: Sequence[Attempt], *, is_checked: bool) -> Prospect:
        return Prospect()
