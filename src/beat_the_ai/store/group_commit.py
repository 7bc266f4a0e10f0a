"""Group commit for SQLite: one thread writes, and whatever waits at that moment is committed together.

SQLite has one writer at a time, and each durable commit costs an fsync. With many writing threads most of the time goes
into its lock, whose waiters sleep and take no turns. Here they wait in line and share the fsync. One that fails takes
nothing of its neighbours with it: they are run again, so a transaction must do nothing but read and write the store.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

import sqlalchemy as sa

LARGEST_GROUP = 64

T = TypeVar("T")
Transaction = Callable[[sa.Connection], Any]
Waiting = tuple[Transaction, "Future[Any]"]


class GroupCommit:
    """Runs transactions in the order in which they come. The thread starts with the first of them."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._line: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._starting = Lock()

    def run(self, transaction: Callable[[sa.Connection], T]) -> T:
        """The transaction's result once it is durable, or what it raised once it is undone."""
        self._start()
        done: Future[T] = Future()
        self._line.put((transaction, done))
        return done.result()

    def close(self) -> None:
        """Finish what waits and end the thread."""
        with self._starting:
            if self._thread is not None:
                self._line.put(None)
                self._thread.join()
                self._thread = None

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = Thread(target=self._work, name="group-commit", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while (first := self._line.get()) is not None:
            group, ended = [first], False
            while len(group) < LARGEST_GROUP and not ended:
                try:
                    waiting = self._line.get_nowait()
                except Empty:
                    break
                ended = waiting is None
                if waiting is not None:
                    group.append(waiting)
            self._commit(group)
            if ended:
                return

    def _commit(self, group: list[Waiting]) -> None:
        """All in one transaction; when any of it fails, none of it happened, and each gets a transaction of its own."""
        try:
            with self._begin() as connection:
                results = [transaction(connection) for transaction, _ in group]
        except Exception:  # noqa: BLE001  # each is told below what is its own
            for transaction, done in group:
                self._commit_alone(transaction, done)
        else:
            for result, (_, done) in zip(results, group, strict=True):
                done.set_result(result)

    def _commit_alone(self, transaction: Transaction, done: Future[Any]) -> None:
        try:
            with self._begin() as connection:
                result = transaction(connection)
        except Exception as error:  # noqa: BLE001  # handed over to the thread that waits
            done.set_exception(error)
        else:
            done.set_result(result)

    def _begin(self) -> AbstractContextManager[sa.Connection]:
        return self._engine.execution_options(writing=True).begin()
