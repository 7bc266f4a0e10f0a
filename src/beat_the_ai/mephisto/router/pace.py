"""The pace at which pages of one address may register: a burst of a minute's worth, then one after the other."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection

from beat_the_ai.listening.connection_limits import subscriber
from beat_the_ai.web.token_bucket import TokenBucket

REMEMBERED = 10_000


class Pace:
    """`per_minute` of 0 lets everything pass, and so it is for `unlimited` addresses."""

    def __init__(
        self, per_minute: int, unlimited: Collection[str] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_minute = per_minute
        self._unlimited = unlimited
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()  # the latest address last

    def seconds_to_wait(self, address: str) -> float:
        """0 for who may pass; what passes counts."""
        if not self._per_minute or address in self._unlimited:
            return 0.0
        whose = subscriber(address)
        if whose not in self._buckets:
            self._buckets[whose] = TokenBucket(self._per_minute / 60, self._per_minute, self._clock)
        self._buckets.move_to_end(whose)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return self._buckets[whose].seconds_to_wait()
