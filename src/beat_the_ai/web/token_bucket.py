"""The limit of a rate: so many a second on average, and a burst after a rest."""

from __future__ import annotations

import time
from collections.abc import Callable


class TokenBucket:
    """A bucket of at most `burst` tokens, full at first, that gets `per_second` new ones."""

    def __init__(self, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = self._tokens = burst
        self._clock = clock
        self._before = clock()

    def seconds_to_wait(self) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._before) * self._per_second)
        self._before = now
        if self._tokens < 1:
            return (1 - self._tokens) / self._per_second
        self._tokens -= 1
        return 0.0
