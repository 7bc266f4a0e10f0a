"""How fast commands may come in."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from beat_the_ai.errors import Refused

TOO_FAST = "Too many commands at once from this page or its team. It has been disconnected; please reload it."


class Pace:
    """So many commands a second on average, and `at_once` after a rest."""

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = monotonic) -> None:
        self._per_second = per_second
        self._at_once = self._left = at_once
        self._clock = clock
        self._before = clock()

    def keep(self) -> None:
        """Count one command. Raise `Refused` for one that comes too fast."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._before) * self._per_second)
        self._before = now
        if self._left < 1:
            raise Refused(TOO_FAST)
        self._left -= 1
