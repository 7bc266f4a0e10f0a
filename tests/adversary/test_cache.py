from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from beat_the_ai.adversary.cache import AnswerCache


class Computation:
    """Computes when it is let to, and counts how often it was begun and given up."""

    def __init__(self, result: str | Exception = "value") -> None:
        self.begun = self.cancelled = 0
        self.entered, self.gate = asyncio.Event(), asyncio.Event()
        self._result = result

    async def __call__(self) -> str:
        self.begun += 1
        self.entered.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 10), debug=True)


async def all_started(waiters: list[asyncio.Task[Any]]) -> None:
    """Tasks begin in the order in which they were made, so one more task runs after all of them did."""
    await asyncio.ensure_future(asyncio.sleep(0))
    assert not any(waiter.done() for waiter in waiters)


def waiting(*gets: Awaitable[tuple[str, bool]]) -> list[asyncio.Task[tuple[str, bool]]]:
    return [asyncio.ensure_future(get) for get in gets]


def test_a_value_is_computed_once_and_then_remembered() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        compute.gate.set()
        assert await cache.get("key", compute) == ("value", False)
        assert await cache.get("key", compute) == ("value", True)
        assert compute.begun == 1

    run(test)


def test_the_least_recently_used_value_is_forgotten_first() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        compute.gate.set()
        found = [(await cache.get(key, compute))[1] for key in ["a", "b", "a", "c", "a", "b"]]
        assert found == [False, False, True, False, True, False]

    run(test)


def test_identical_requests_at_the_same_time_share_one_computation() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        waiters = waiting(*(cache.get("key", compute) for _ in range(5)))
        await all_started(waiters)
        compute.gate.set()
        assert await asyncio.gather(*waiters) == [("value", False)] + 4 * [("value", True)]
        assert compute.begun == 1

    run(test)


def test_a_failure_reaches_everyone_who_waits_and_is_not_remembered() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        failing, working = Computation(ValueError("no")), Computation()
        waiters = waiting(*(cache.get("key", failing) for _ in range(3)))
        await all_started(waiters)
        failing.gate.set()
        results = await asyncio.gather(*waiters, return_exceptions=True)
        assert [type(result) for result in results] == 3 * [ValueError]
        working.gate.set()
        assert await cache.get("key", working) == ("value", False)

    run(test)


@pytest.mark.parametrize("leaving", [0, 1, 2])
def test_one_that_gives_up_takes_nothing_from_the_others(leaving: int) -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        waiters = waiting(*(cache.get("key", compute) for _ in range(3)))
        await all_started(waiters)
        waiters.pop(leaving).cancel()
        compute.gate.set()
        assert {value for value, _ in await asyncio.gather(*waiters)} == {"value"}
        assert (compute.begun, compute.cancelled) == (1, 0)

    run(test)


def test_when_the_last_gives_up_the_computation_ends_and_the_next_begins_anew() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        abandoned, fresh = Computation(), Computation("fresh")
        fresh.gate.set()
        waiters = waiting(*(cache.get("key", abandoned) for _ in range(2)))
        await abandoned.entered.wait()
        for waiter in waiters:
            waiter.cancel()
        await asyncio.gather(*waiters, return_exceptions=True)
        assert await cache.get("key", fresh) == ("fresh", False)
        assert abandoned.cancelled == 1
        assert await cache.get("key", abandoned) == ("fresh", True)

    run(test)


def test_a_cache_of_no_capacity_still_shares_a_computation() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(0)
        compute = Computation()
        waiters = waiting(*(cache.get("key", compute) for _ in range(2)))
        await all_started(waiters)
        compute.gate.set()
        await asyncio.gather(*waiters)
        assert await cache.get("key", compute) == ("value", False)
        assert compute.begun == 2

    run(test)
