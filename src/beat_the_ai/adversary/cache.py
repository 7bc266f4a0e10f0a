"""Answers remembered, and queries asked once: an LRU cache with single-flight, for use within one event loop.

Identical queries that arrive while the first is being answered wait for its answer. A failure goes to everyone who
waits and is not remembered. When the last one that waits gives up, the computation is cancelled. What is computed is a
`concurrent.futures.Future`, as the streams give it; what is awaited is a plain asyncio future, without a task.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


@dataclass(eq=False)
class _Flight(Generic[ValueT]):
    source: Future[ValueT]
    waiters: set[asyncio.Future[ValueT]] = field(default_factory=set)


class AnswerCache(Generic[KeyT, ValueT]):
    """Keeps the `capacity` most recently used values; 0 keeps none and still computes identical ones only once."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._values: OrderedDict[KeyT, ValueT] = OrderedDict()
        self._flights: dict[KeyT, _Flight[ValueT]] = {}

    def get(self, key: KeyT, compute: Callable[[], Future[ValueT]]) -> tuple[asyncio.Future[ValueT], bool]:
        """The value of `key` to come, and whether it was found: remembered, or being computed for somebody else."""
        waiter: asyncio.Future[ValueT] = asyncio.get_running_loop().create_future()
        if key in self._values:
            self._values.move_to_end(key)
            waiter.set_result(self._values[key])
            return waiter, True
        flight = self._flights.get(key)
        found = flight is not None
        if flight is None:
            flight = self._take_off(key, compute)
        flight.waiters.add(waiter)
        waiter.add_done_callback(lambda waiter: self._leave(key, flight, waiter) if waiter.cancelled() else None)
        return waiter, found

    def flight(self, key: KeyT) -> Future[ValueT] | None:
        """Return the computation of the value of `key` that runs now, if there is one."""
        flight = self._flights.get(key)
        return None if flight is None else flight.source

    def _take_off(self, key: KeyT, compute: Callable[[], Future[ValueT]]) -> _Flight[ValueT]:
        loop = asyncio.get_running_loop()
        flight = self._flights[key] = _Flight(compute())

        def land(source: Future[ValueT]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and everybody who waited with it
                loop.call_soon_threadsafe(self._land, key, flight)

        flight.source.add_done_callback(land)
        return flight

    def _leave(self, key: KeyT, flight: _Flight[ValueT], waiter: asyncio.Future[ValueT]) -> None:
        flight.waiters.discard(waiter)
        if not flight.waiters and self._flights.get(key) is flight:
            # Gone from the table at once: whoever asks next must not join a flight that is being cancelled.
            del self._flights[key]
            flight.source.cancel()

    def _land(self, key: KeyT, flight: _Flight[ValueT]) -> None:
        if self._flights.get(key) is not flight:
            return
        del self._flights[key]
        error = flight.source.exception()
        if error is None:
            self._remember(key, flight.source.result())
        for waiter in flight.waiters:
            if waiter.done():
                continue
            if error is None:
                waiter.set_result(flight.source.result())
            else:
                waiter.set_exception(error)

    def _remember(self, key: KeyT, value: ValueT) -> None:
        self._values[key] = value
        if len(self._values) > self.capacity:
            self._values.popitem(last=False)
