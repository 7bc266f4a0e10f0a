"""A payer that kills itself at the named moment of the last of its payments; at "any", somebody else kills it."""

from __future__ import annotations

import os
import signal
import sys

import sqlalchemy as sa

from beat_the_ai.databases import open_database
from beat_the_ai.payments import Cap, Ledger, Payer, PaymentGateway
from beat_the_ai.requester import BookedBonus, Requester
from beat_the_ai.store import CAMPAIGN_MIGRATIONS
from tests.payments.builders import owed
from tests.payments.cash_desk import connect

MOMENTS = ("claimed", "booked", "confirming")
AMOUNTS = [owed(assignment=f"3X{number}", cents=10 + number) for number in range(8)]
LAST = AMOUNTS[-1].key.assignment


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class LastMoments:
    """`PaymentGateway` for a payer that does not outlive its last payment."""

    def __init__(self, crowd: Requester, moment: str, engine: sa.Engine) -> None:
        self.approve = crowd.approve
        self.balance_cents = crowd.balance_cents
        self._crowd = crowd
        self._moment = moment
        self._engine = engine

    def bonuses_paid(self, assignment: str) -> list[BookedBonus]:
        if (assignment, self._moment) == (LAST, "claimed"):
            die()
        return self._crowd.bonuses_paid(assignment)

    def send_bonus(self, worker: str, assignment: str, cents: int, reason: str, token: str) -> None:
        self._crowd.send_bonus(worker, assignment, cents, reason, token)
        if (assignment, self._moment) == (LAST, "booked"):
            die()
        if (assignment, self._moment) == (LAST, "confirming"):
            sa.event.listen(self._engine, "commit", lambda _connection: die())


def main(url: str, address: str, moment: str) -> None:
    database = open_database(url, CAMPAIGN_MIGRATIONS)
    crowd: PaymentGateway = LastMoments(connect(address), moment, database.engine)
    print("paying", flush=True)
    Payer(Ledger(database, "pilot"), crowd, Cap(10**9)).pay(AMOUNTS)


if __name__ == "__main__":
    main(*sys.argv[1:])
