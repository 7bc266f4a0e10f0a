"""A payer that dies at a chosen point: before, within or after any transaction and any request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.payments import PaymentGateway
from beat_the_ai.requester import BookedBonus

T = TypeVar("T")


class Killed(BaseException):
    """The process is no more; nothing may catch this."""


class Fuse:
    """Burns one step at every point; at the last one, and at all points after it, the payer is dead."""

    def __init__(self, steps: int | None) -> None:
        self._steps = steps

    def burn(self) -> None:
        if self._steps is None:
            return
        self._steps -= 1
        if self._steps < 0:
            raise Killed


class MortalDatabase(Database):
    def __init__(self, engine: sa.Engine, fuse: Fuse) -> None:
        super().__init__(engine)
        self._fuse = fuse

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        self._fuse.burn()
        with super().writing() as connection:
            yield connection
            self._fuse.burn()  # everything is written, nothing committed
        self._fuse.burn()


class MortalCrowd:
    """`PaymentGateway` in the hands of a mortal."""

    def __init__(self, crowd: PaymentGateway, fuse: Fuse) -> None:
        self._crowd = crowd
        self._fuse = fuse

    def _around(self, call: Callable[[], T]) -> T:
        self._fuse.burn()
        answer = call()
        self._fuse.burn()
        return answer

    def send_bonus(self, worker: str, assignment: str, cents: int, reason: str, token: str) -> None:
        self._around(lambda: self._crowd.send_bonus(worker, assignment, cents, reason, token))

    def bonuses_paid(self, assignment: str) -> list[BookedBonus]:
        return self._around(lambda: self._crowd.bonuses_paid(assignment))

    def approve(self, assignment: str) -> None:
        self._around(lambda: self._crowd.approve(assignment))

    def balance_cents(self) -> int:
        return self._around(self._crowd.balance_cents)
