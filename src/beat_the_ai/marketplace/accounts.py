"""The ledger: every cent moves by a transfer from one account to another, and transfers are never changed.

A transfer is both entries of double-entry bookkeeping in one row. An account's balance is kept beside them, changed
in the same transaction, and equals what came in less what went out; `outside` is where deposits come from, and so the
only account that may go below zero.

outside ──deposit──> available ──hold──> held ──reward──> worker
                         ^                │ └───fee────> fees
                         └────release─────┘
                     available ──bonus──> worker, ──bonus fee──> fees
"""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa

from beat_the_ai.marketplace.errors import insufficient_funds
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import accounts, transfers

TransferKind = Literal["deposit", "hold", "release", "reward", "reward_fee", "bonus", "bonus_fee"]

OUTSIDE = "outside"
FEES = "fees"


def available(requester_id: str) -> str:
    """The account of what a requester can still spend."""
    return f"requester:{requester_id}:available"


def held(requester_id: str) -> str:
    """The account of what is set aside for the open assignments of a requester's HITs."""
    return f"requester:{requester_id}:held"


def earned(worker_id: str) -> str:
    return f"worker:{worker_id}"


def open_account(moment: Moment, name: str) -> None:
    """An account that is there already stays as it is."""
    if moment.connection.scalar(sa.select(accounts.c.name).filter_by(name=name)) is None:
        moment.connection.execute(sa.insert(accounts).values(name=name, cents=0))


def balance_cents(moment: Moment, name: str) -> int:
    balance = moment.connection.scalar(sa.select(accounts.c.cents).filter_by(name=name))
    assert balance is not None, f"no account {name}"
    return int(balance)


def transfer(
    moment: Moment, kind: TransferKind, source: str, target: str, cents: int, subject: str | None = None
) -> None:
    """Move money; nothing is written for nothing. Raises InsufficientFunds when `source` does not have it."""
    assert cents >= 0
    if cents == 0:
        return
    if source != OUTSIDE and balance_cents(moment, source) < cents:
        raise insufficient_funds()
    entry = {"at": moment.now, "kind": kind, "source": source, "target": target, "cents": cents, "subject": subject}
    moment.connection.execute(sa.insert(transfers).values(entry))
    for name, change in ((source, -cents), (target, cents)):
        moment.connection.execute(sa.update(accounts).filter_by(name=name).values(cents=accounts.c.cents + change))
