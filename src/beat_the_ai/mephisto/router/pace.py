"""How fast pages of one address may register: a burst of a minute's worth, then one after the other."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection

from beat_the_ai.listening.doors import subscriber

REMEMBERED = 10_000


class Pace:
    """`per_minute` of 0 lets everything pass, and so it is for `unlimited` addresses."""

    def __init__(
        self, per_minute: int, unlimited: Collection[str] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_minute = per_minute
        self._unlimited = unlimited
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when that was

    def seconds_to_wait(self, address: str) -> float:
        """0 for who may pass; what passes counts."""
        if not self._per_minute or address in self._unlimited:
            return 0.0
        whose, now, a_second = subscriber(address), self._clock(), self._per_minute / 60
        left, at = self._left.pop(whose, (float(self._per_minute), now))
        left = min(self._per_minute, left + (now - at) * a_second)
        passes = left >= 1
        self._left[whose] = (left - passes, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if passes else (1 - left) / a_second
