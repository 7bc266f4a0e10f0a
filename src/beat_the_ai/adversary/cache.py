"""Answers remembered, and questions asked once: an LRU cache with single-flight, for use within one event loop.

Identical questions that arrive while the first is being answered wait for its answer. A failure goes to everyone who
waits and is not remembered. When the last one that waits gives up, the computation is cancelled.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


@dataclass(eq=False)
class _Flight(Generic[ValueT]):
    task: asyncio.Task[ValueT]
    waiters: int = 0


class AnswerCache(Generic[KeyT, ValueT]):
    """Keeps the `capacity` most recently used values; 0 keeps none and still computes identical ones only once."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._values: OrderedDict[KeyT, ValueT] = OrderedDict()
        self._flights: dict[KeyT, _Flight[ValueT]] = {}

    async def get(self, key: KeyT, compute: Callable[[], Coroutine[Any, Any, ValueT]]) -> tuple[ValueT, bool]:
        """The value of `key`, and whether it was found (remembered, or already being computed for somebody)."""
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key], True
        flight = self._flights.get(key)
        found = flight is not None
        if flight is None:
            flight = self._take_off(key, compute)
        return await self._join(key, flight), found

    def _take_off(self, key: KeyT, compute: Callable[[], Coroutine[Any, Any, ValueT]]) -> _Flight[ValueT]:
        flight = _Flight(asyncio.ensure_future(compute()))
        self._flights[key] = flight
        flight.task.add_done_callback(lambda task: self._land(key, flight))
        return flight

    async def _join(self, key: KeyT, flight: _Flight[ValueT]) -> ValueT:
        flight.waiters += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                # Gone from the table at once: whoever asks next must not join a flight that is being cancelled.
                self._flights.pop(key)
                flight.task.cancel()

    def _land(self, key: KeyT, flight: _Flight[ValueT]) -> None:
        if self._flights.get(key) is not flight:
            return
        del self._flights[key]
        if flight.task.cancelled() or flight.task.exception() is not None:
            return
        self._values[key] = flight.task.result()
        if len(self._values) > self.capacity:
            self._values.popitem(last=False)
