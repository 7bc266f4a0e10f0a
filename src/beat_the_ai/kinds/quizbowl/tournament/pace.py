"""The pace of commands: a limit for each page, and one for all pages of a team."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from beat_the_ai.errors import Refused
from beat_the_ai.web.token_bucket import TokenBucket

TOO_FAST = "Too many commands at once from this page or its team. It has been disconnected; please reload it."


class Pace:
    """So many commands a second on average, and `at_once` after a rest."""

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = monotonic) -> None:
        self._bucket = TokenBucket(per_second, at_once, clock)

    def keep(self) -> None:
        """Count one command. Raise `Refused` for one that comes too fast."""
        if self._bucket.seconds_to_wait():
            raise Refused(TOO_FAST)
