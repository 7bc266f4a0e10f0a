"""Changes are told to whoever listens, and nobody looks for them otherwise."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from beat_the_ai.console import changes
from beat_the_ai.console.changes import CHANGED, MOST_LISTENERS, MOST_OF_ONE, STILL_THERE, Listeners, TooManyListeners
from beat_the_ai.store import Store, now

PATIENCE_SECONDS = 20


async def following(events: AsyncIterator[bytes]) -> bytes:
    return await asyncio.wait_for(anext(events), PATIENCE_SECONDS)


def write(store: Store) -> None:
    store.audit.add(now(), "ann", "looked")


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(changes, "HEARTBEAT_SECONDS", 0.3)


def test_a_change_is_told_to_all_listeners_of_its_store(store: Store, other: Store) -> None:
    async def listen() -> None:
        listeners = Listeners([store, other])
        async with (
            aclosing(listeners.stream(store, "ann", lambda: True)) as one,
            aclosing(listeners.stream(store, "bob", lambda: True)) as another,
            aclosing(listeners.stream(other, "ann", lambda: True)) as elsewhere,
        ):
            assert all([(await following(each)).startswith(b"retry") for each in (one, another, elsewhere)])
            assert await following(one) == await following(elsewhere) == STILL_THERE
            await asyncio.to_thread(write, store)
            assert await following(one) == await following(another) == CHANGED
            assert await following(elsewhere) == STILL_THERE

    asyncio.run(listen())


def test_nobody_looks_when_nobody_listens(store: Store) -> None:
    async def listen() -> None:
        listeners = Listeners([store])
        for _ in range(2):  # whoever comes later is told, too
            async with aclosing(listeners.stream(store, "ann", lambda: True)) as events:
                await following(events)
                await following(events)
                await asyncio.to_thread(write, store)
                assert await following(events) == CHANGED
            for _ in range(100):
                await asyncio.sleep(0.05)
                if len(asyncio.all_tasks()) == 1:
                    break
            assert len(asyncio.all_tasks()) == 1
        assert store.database.engine.pool.status().find("Current Checked out connections: 0") >= 0

    asyncio.run(listen())


@pytest.mark.parametrize(("session_lasts", "closes"), [(False, False), (True, True)])
def test_a_stream_ends_with_the_session_and_with_the_server(store: Store, session_lasts: bool, closes: bool) -> None:
    async def listen() -> list[bytes]:
        listeners = Listeners([store])
        events = []
        async for event in listeners.stream(store, "ann", lambda: session_lasts):
            events.append(event)
            if closes and len(events) == 3:
                listeners.close()
        return events

    assert set(asyncio.run(asyncio.wait_for(listen(), PATIENCE_SECONDS))) <= {b"retry: 3000\n\n", STILL_THERE, CHANGED}


def test_a_change_while_the_session_is_looked_up_is_told(store: Store) -> None:
    looked_up = threading.Event()

    def look_up() -> bool:
        if not looked_up.is_set():
            write(store)
            time.sleep(1)  # as long as it takes to see the change
            looked_up.set()
        return True

    async def listen() -> None:
        async with aclosing(Listeners([store]).stream(store, "ann", look_up)) as events:
            while not looked_up.is_set():
                await following(events)
            assert CHANGED in [await following(events) for _ in range(2)]

    asyncio.run(listen())


def test_a_store_that_cannot_be_read_is_looked_at_again(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    file = Path(str(store.database.engine.url.database))

    async def listen() -> None:
        async with aclosing(Listeners([store]).stream(store, "ann", lambda: True)) as events:
            for _ in range(2):
                await following(events)
            for path in file.parent.glob(f"{file.name}*"):
                path.write_bytes(b"x" * path.stat().st_size)
            for _ in range(4):
                await following(events)

    asyncio.run(listen())
    assert caplog.text.count("The store cannot be read") > 1


def test_listeners_are_few(store: Store) -> None:
    async def listen(names: Callable[[int], str]) -> int:
        listeners, streams = Listeners([store]), []
        try:
            for number in range(MOST_LISTENERS + 1):
                listeners.check(names(number))
                streams.append(listeners.stream(store, names(number), lambda: True))
                await following(streams[-1])
        except TooManyListeners:
            return len(streams)
        finally:
            for stream in streams:
                await stream.aclose()
            listeners.check("ann")
        return -1

    assert asyncio.run(listen(lambda _: "ann")) == MOST_OF_ONE
    assert asyncio.run(listen(str)) == MOST_LISTENERS
