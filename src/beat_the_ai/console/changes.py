"""Changes of a store, told to whoever listens: one look a second for all of them, and none when nobody listens."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from beat_the_ai.console.growing import Growing
from beat_the_ai.errors import Refused, StoreError
from beat_the_ai.store import Store

LOOK_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
CHECK_SECONDS = 3.0
MOST_LISTENERS = 64
MOST_OF_ONE = 8
RECONNECT_MS = 3000
CHANGED, STILL_THERE = b"event: changed\ndata:\n\n", b": still there\n\n"

UNREAD = ""  # the mark of a store that cannot be read

log = logging.getLogger(__name__)


class TooManyListeners(Refused):
    """Too many pages are open."""

    code = "too_many_listeners"


class _Watch:
    """One store, while somebody listens."""

    def __init__(self, store: Store) -> None:
        self._changes = store.changes()
        self._listeners: set[asyncio.Event] = set()
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """Yield an event that is set at each change."""
        changed = asyncio.Event()
        self._listeners.add(changed)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield changed
        finally:
            self._listeners.discard(changed)

    def wake(self) -> None:
        for changed in self._listeners:
            changed.set()

    async def _look(self) -> None:
        """Look until nobody listens. A store that could not be read is one that may have changed."""
        known = None
        while self._listeners:
            try:
                mark = await run_in_threadpool(self._changes.mark)
            except (StoreError, SQLAlchemyError) as error:
                log.warning("The store cannot be read: %s", error)
                mark = UNREAD
            if known is not None and mark not in (UNREAD, known):
                self.wake()
            known = mark
            await asyncio.sleep(LOOK_SECONDS)
        self._looking = None
        self._changes.close()


class Listeners:
    """Everybody who listens to any store."""

    def __init__(self, stores: Iterable[Store]) -> None:
        self._watches = Growing({store: _Watch(store) for store in stores})
        self._open: Counter[str] = Counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    def add(self, store: Store) -> None:
        """Listen to one store more."""
        self._watches.add(store, _Watch(store))

    def check(self, name: str) -> None:
        """Raise `TooManyListeners` when no more can be taken."""
        if self._open.total() >= MOST_LISTENERS or self._open[name] >= MOST_OF_ONE:
            raise TooManyListeners("Too many pages of the console are open. Close some; this one is renewed by hand.")

    async def stream(self, store: Store, name: str, is_let_in: Callable[[], bool]) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events of one listener, until somebody is not let in any more, or the server ends."""
        self._loop = asyncio.get_running_loop()
        self._open[name] += 1
        try:
            with self._watches[store].listening() as changed:
                yield b"retry: %d\n\n" % RECONNECT_MS
                checked_at = spoke_at = time.monotonic()
                while not self._is_closed:
                    has_changed = await _within(changed, CHECK_SECONDS)
                    changed.clear()  # before anything that takes time: the next change is told again
                    at = time.monotonic()
                    if at - checked_at >= CHECK_SECONDS:
                        checked_at = at
                        if not await run_in_threadpool(is_let_in):
                            return
                    if has_changed or at - spoke_at >= HEARTBEAT_SECONDS:
                        spoke_at = at
                        yield CHANGED if has_changed else STILL_THERE
        finally:
            self._open[name] -= 1

    def close(self) -> None:
        """End all streams. Called at a signal, in the middle of anything."""
        self._is_closed = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for watch in self._watches.values():
            watch.wake()


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return False
    return True
