"""The pace of commands and entries: a limit for each page, one for all pages of a team, one for all spectators."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from beat_the_ai.errors import Refused
from beat_the_ai.kinds.quizbowl.tournament.saying import said
from beat_the_ai.web.token_bucket import TokenBucket


class Pace:
    """So many commands a second on average, and `at_once` after a rest."""

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = monotonic) -> None:
        self._bucket = TokenBucket(per_second, at_once, clock)

    def keep(self) -> None:
        """Count one command or entry. Raise `Refused` for one that comes too fast."""
        if self._bucket.seconds_to_wait():
            raise Refused(said("event_refusals.too_fast"))
