from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

import pytest

from beat_the_ai.adversary.cache import AnswerCache


class Computation:
    """Begins a future each time it is called; the test completes them."""

    def __init__(self) -> None:
        self.futures: list[Future[str]] = []

    def __call__(self) -> Future[str]:
        self.futures.append(Future())
        return self.futures[-1]


def done(value: str) -> Future[str]:
    future: Future[str] = Future()
    future.set_result(value)
    return future


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 10), debug=True)


def test_a_value_is_computed_once_and_then_remembered() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        first, found = cache.get("key", compute)
        compute.futures[0].set_result("value")
        assert (await first, found) == ("value", False)
        second, found = cache.get("key", compute)
        assert (await second, found) == ("value", True)
        assert len(compute.futures) == 1

    run(test)


def test_the_least_recently_used_value_is_forgotten_first() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        was_found = []
        for key in ["a", "b", "a", "c", "a", "b"]:
            value, found = cache.get(key, lambda: done("value"))
            await value
            was_found.append(found)
        assert was_found == [False, False, True, False, True, False]

    run(test)


def test_identical_requests_at_the_same_time_share_one_computation() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        asked = [cache.get("key", compute) for _ in range(5)]
        assert [found for _, found in asked] == [False, True, True, True, True]
        compute.futures[0].set_result("value")
        assert await asyncio.gather(*(value for value, _ in asked)) == ["value"] * 5
        assert len(compute.futures) == 1

    run(test)


def test_a_failure_reaches_everyone_who_waits_and_is_not_remembered() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        values = [cache.get("key", compute)[0] for _ in range(3)]
        compute.futures[0].set_exception(ValueError("no"))
        results = await asyncio.gather(*values, return_exceptions=True)
        assert [type(result) for result in results] == [ValueError] * 3
        again, found = cache.get("key", lambda: done("value"))
        assert (await again, found) == ("value", False)

    run(test)


@pytest.mark.parametrize("leaving", [0, 1, 2])
def test_one_that_gives_up_takes_nothing_from_the_others(leaving: int) -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        values = [cache.get("key", compute)[0] for _ in range(3)]
        gone = values.pop(leaving)
        gone.cancel()
        compute.futures[0].set_result("value")
        assert await asyncio.gather(*values) == ["value"] * 2
        assert gone.cancelled()

    run(test)


def test_when_the_last_gives_up_the_computation_ends_and_the_next_begins_anew() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        values = [cache.get("key", compute)[0] for _ in range(2)]
        for value in values:
            value.cancel()
        await asyncio.sleep(0)  # until then somebody else may still join it
        fresh, found = cache.get("key", compute)
        assert not found
        assert compute.futures[0].cancelled()
        compute.futures[1].set_result("fresh")
        assert await fresh == "fresh"

    run(test)


def test_a_computation_that_could_not_be_ended_any_more_is_not_taken_for_its_successor() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        abandoned, _ = cache.get("key", compute)
        compute.futures[0].set_running_or_notify_cancel()
        abandoned.cancel()
        await asyncio.sleep(0)
        fresh, _ = cache.get("key", compute)
        compute.futures[0].set_result("stale")
        compute.futures[1].set_result("fresh")
        assert await fresh == "fresh"

    run(test)


def test_a_computation_completes_from_another_thread() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(2)
        compute = Computation()
        value, _ = cache.get("key", compute)
        await asyncio.to_thread(compute.futures[0].set_result, "value")
        assert await value == "value"

    run(test)


def test_a_cache_of_no_capacity_still_shares_a_computation() -> None:
    async def test() -> None:
        cache: AnswerCache[str, str] = AnswerCache(0)
        compute = Computation()
        values = [cache.get("key", compute)[0] for _ in range(2)]
        compute.futures[0].set_result("value")
        assert await asyncio.gather(*values) == ["value"] * 2
        _, found = cache.get("key", lambda: done("value"))
        assert not found

    run(test)


def test_an_answer_that_comes_after_the_loop_has_ended_disturbs_nobody(caplog: pytest.LogCaptureFixture) -> None:
    compute = Computation()

    async def test() -> None:
        AnswerCache[str, str](2).get("key", compute)

    run(test)
    compute.futures[0].set_result("late")
    assert not caplog.records
