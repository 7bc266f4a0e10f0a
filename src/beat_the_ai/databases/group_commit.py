"""Group commit for SQLite: whoever comes first writes for all who wait at that moment, in one transaction.

SQLite has one writer at a time, and each durable commit costs an fsync. With many writing threads most of the time goes
into its lock, whose waiters sleep and take no turns. Here they wait in line and share the fsync, and a thread that is
alone need not wake another one. A transaction that fails takes nothing of its neighbours with it: they are
run again, so a transaction must do nothing but read and write the store.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Event, Lock
from typing import Any, TypeVar

import sqlalchemy as sa

LARGEST_GROUP = 64

T = TypeVar("T")
Transaction = Callable[[sa.Connection], Any]


class _Waiting:
    """A transaction in line. Its thread is woken when it has an outcome, or when it is the first in line."""

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction
        self.woken = Event()
        self.is_over = False
        self.result: Any = None
        self.error: Exception | None = None

    def end(self, result: Any = None, error: Exception | None = None) -> None:
        self.result, self.error, self.is_over = result, error, True
        self.woken.set()


class GroupCommit:
    """Runs transactions in the order in which they come."""

    def __init__(self, begin: Callable[[], AbstractContextManager[sa.Connection]]) -> None:
        """`begin()` is a transaction that writes."""
        self._begin = begin
        self._line: list[_Waiting] = []
        self._is_led = False
        self._lock = Lock()

    def run(self, transaction: Callable[[sa.Connection], T]) -> T:
        """The transaction's result once it is durable, or what it raised once it is undone."""
        mine = _Waiting(transaction)
        with self._lock:
            self._line.append(mine)
            leads, self._is_led = not self._is_led, True
        try:
            if not leads:
                mine.woken.wait()
            if not mine.is_over:
                self._lead()
        except BaseException:  # Ctrl-C: nobody may wait for this thread
            self._leave(mine)
            raise
        if mine.error is not None:
            raise mine.error
        result: T = mine.result
        return result

    def _lead(self) -> None:
        """Commit those who wait, and hand over to the first of those who have come meanwhile."""
        with self._lock:
            group = self._line[:LARGEST_GROUP]
        self._commit(group)
        with self._lock:
            self._line = [waiting for waiting in self._line if not waiting.is_over]
            self._hand_over()

    def _leave(self, mine: _Waiting) -> None:
        """The others stay in line, those as well whose transactions were under way: nothing of these has happened."""
        with self._lock:
            leads = not self._line or self._line[0] is mine
            self._line = [waiting for waiting in self._line if waiting is not mine and not waiting.is_over]
            if leads:
                self._hand_over()

    def _hand_over(self) -> None:
        self._is_led = bool(self._line)
        if self._line:
            self._line[0].woken.set()

    def _commit(self, group: list[_Waiting]) -> None:
        """All in one transaction; when any of it fails, none of it happened, and each gets a transaction of its own."""
        try:
            with self._begin() as connection:
                results = [waiting.transaction(connection) for waiting in group]
        except Exception:  # noqa: BLE001  # each is told below what is its own
            for waiting in group:
                self._commit_alone(waiting)
        else:
            for waiting, result in zip(group, results, strict=True):
                waiting.end(result)

    def _commit_alone(self, waiting: _Waiting) -> None:
        try:
            with self._begin() as connection:
                result = waiting.transaction(connection)
        except Exception as error:  # noqa: BLE001  # handed over to the thread that waits
            waiting.end(error=error)
        else:
            waiting.end(result)
