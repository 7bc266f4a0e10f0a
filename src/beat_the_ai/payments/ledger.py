"""The write-ahead ledger: every payment is written down before the crowd is asked, and again when it has answered.

intent ──claim──> sent ──confirm──> confirmed
  ^                │ └───doubt────> unknown ──confirm──> confirmed
  └────decline─────┘                   │
  └──────────────reopen────────────────┘

`decline`: the crowd answered that it did nothing. `reopen`: its list of bonuses does not show the payment. A claim is
one UPDATE that compares the state and counts the tries, so of many payers one sends; what a payer finds out later
than its claim lasts changes nothing, except that a payment which was made is confirmed, from whatever state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.payments.key import PaymentKey
from beat_the_ai.payments.owed import Owed
from beat_the_ai.payments.payment import Payment, State
from beat_the_ai.store import now
from beat_the_ai.store.batches import batched
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import payment_events, payments

MOST_TOKENS = 1000  # of a query
CLAIM_LASTS = timedelta(minutes=5)  # longer than any call with its retries: `client.LONGEST_CALL_SECONDS`


class Ledger:
    """The payments of one campaign. Safe to use from many processes at once."""

    def __init__(self, database: Database, campaign_id: str, clock: Callable[[], datetime] = now) -> None:
        self.campaign_id = campaign_id
        self.clock = clock
        self._database = database

    def payments(self, *states: State, worker: str | None = None) -> list[Payment]:
        """In the order of their intents; of all states when none is named, of everybody or of one worker."""
        query = sa.select(payments).filter_by(campaign_id=self.campaign_id).order_by(payments.c.id)
        if states:
            query = query.where(payments.c.state.in_([state.value for state in states]))
        if worker is not None:
            query = query.where(payments.c.worker == worker)
        with self._database.reading() as connection:
            return [_payment(row) for row in connection.execute(query)]

    def totals(self) -> dict[State, tuple[int, int]]:
        """`{state: (payments, cents with fees)}`, of every state."""
        cents = sa.func.sum(payments.c.cents + payments.c.fee_cents)
        query = sa.select(payments.c.state, sa.func.count(), cents).filter_by(campaign_id=self.campaign_id)
        with self._database.reading() as connection:
            rows = {row[0]: (row[1], int(row[2])) for row in connection.execute(query.group_by(payments.c.state))}
        return {state: rows.get(state.value, (0, 0)) for state in State}

    def known(self, keys: Collection[PaymentKey]) -> set[PaymentKey]:
        """Return the keys under which a payment is written down."""
        key_of = {key.token: key for key in keys}
        found = set[PaymentKey]()
        with self._database.reading() as connection:
            for tokens in batched(key_of, MOST_TOKENS):
                query = sa.select(payments.c.token).where(payments.c.token.in_(tokens))
                found.update(key_of[token] for token in connection.scalars(query))
        return found

    def unconfirmed(self) -> list[Payment]:
        """Return the payments that are written down and not known to be paid."""
        return self.payments(State.INTENT, State.SENT, State.UNKNOWN)

    def payment(self, payment_id: int) -> Payment:
        with self._database.reading() as connection:
            return _payment(connection.execute(sa.select(payments).filter_by(id=payment_id)).one())

    def intend(self, owed: Iterable[Owed], choose: Callable[[list[Owed], int], Iterable[Owed]]) -> None:
        """Write down what is owed and not yet in the ledger.

        `choose(owed, committed_cents)` says what of it fits, with the sum of the ledger at that moment, fees included.
        It is called under a lock: payers that come at once do not each fill the same room.
        """
        by_token = {one.key.token: one for one in owed}
        with self._database.writing() as connection:
            committed_cents = self._locked_total(connection)
            for token in connection.scalars(sa.select(payments.c.token).filter_by(campaign_id=self.campaign_id)):
                by_token.pop(token, None)
            for one in choose(list(by_token.values()), committed_cents):
                self._insert(connection, one)

    def _locked_total(self, connection: sa.Connection, *states: State) -> int:
        """Cents in these states (in all, when none is named), fees included; unchanged until the transaction ends."""
        lock_campaign(connection, self.campaign_id)
        total = sa.select(sa.func.coalesce(sa.func.sum(payments.c.cents + payments.c.fee_cents), 0))
        query = total.filter_by(campaign_id=self.campaign_id)
        if states:
            query = query.where(payments.c.state.in_([state.value for state in states]))
        return int(connection.scalar(query) or 0)

    def _insert(self, connection: sa.Connection, owed: Owed) -> None:
        key, at = owed.key, self.clock()
        made = connection.execute(
            sa.insert(payments).values(
                campaign_id=self.campaign_id,
                purpose=key.purpose,
                worker=key.worker,
                assignment=key.assignment,
                cents=owed.cents,
                fee_cents=owed.fee_cents,
                state=State.INTENT.value,
                token=key.token,
                reason=owed.reason,
                tries=0,
                created_at=at,
            )
        )
        assert made.inserted_primary_key is not None
        _note(connection, made.inserted_primary_key[0], at, State.INTENT, None)

    def claim(self, payment: Payment, cap_cents: int) -> Payment | None:
        """intent → sent. None when another payer was faster, or when the money sent so far leaves no room for it."""
        with self._database.writing() as connection:
            gone_cents = self._locked_total(connection, State.SENT, State.CONFIRMED, State.UNKNOWN)
            if gone_cents + payment.with_fee_cents > cap_cents:
                return None
            changes = {"tries": payment.tries + 1, "sent_at": self.clock(), "error": None}
            moved = self._move(connection, payment, (State.INTENT,), State.SENT, None, changes)
        return self.payment(payment.id) if moved else None

    def holds(self, claimed: Payment) -> bool:
        """Return whether a claim still stands: nobody took it over, and nobody may yet."""
        return self.payment(claimed.id) == claimed and self._lasts(claimed)

    def _lasts(self, claimed: Payment) -> bool:
        """Return whether the claim may be a living payer's. One from the future is none's: the clock was set back."""
        assert claimed.sent_at is not None
        return abs(self.clock() - claimed.sent_at) < CLAIM_LASTS

    def confirm(self, payment: Payment, cents: int | None = None) -> None:
        """It was paid, with `cents` as the crowd lists them if that is known. Holds whatever this ledger thought."""
        changes: dict[str, Any] = {"confirmed_at": self.clock(), "error": None}
        if cents is not None and cents != payment.cents:
            changes |= {"cents": cents, "error": f"The crowd lists {cents} cents, {payment.cents} were intended."}
        with self._database.writing() as connection:
            unpaid = (State.INTENT, State.SENT, State.UNKNOWN)
            self._move(connection, payment, unpaid, State.CONFIRMED, changes["error"], changes, any_try=True)

    def decline(self, payment: Payment, error: str) -> None:
        """sent → intent: the crowd answered that it did nothing."""
        with self._database.writing() as connection:
            self._move(connection, payment, (State.SENT,), State.INTENT, error, {"error": error})

    def doubt(self, payment: Payment, error: str, *, token_spent: bool = False) -> None:
        """sent → unknown."""
        spent = {"token_spent_at": self.clock()} if token_spent else {}
        with self._database.writing() as connection:
            self._move(connection, payment, (State.SENT,), State.UNKNOWN, error, {"error": error, **spent})

    def reopen(self, payment: Payment, note: str) -> None:
        """unknown → intent: looked for, and not there."""
        with self._database.writing() as connection:
            self._move(connection, payment, (State.UNKNOWN,), State.INTENT, note, {"error": None})

    def doubt_abandoned(self) -> None:
        """sent → unknown, for claims that no living payer can hold any more.

        A reward's is doubted at once: asking for an approval a second time does no harm.
        """
        for payment in self.payments(State.SENT):
            if payment.is_reward or not self._lasts(payment):
                self.doubt(payment, "The payer ended before the crowd's answer was written down.")

    def _move(
        self,
        connection: sa.Connection,
        payment: Payment,
        sources: tuple[State, ...],
        target: State,
        note: str | None,
        changes: dict[str, Any],
        *,
        any_try: bool = False,
    ) -> bool:
        """Compare and set: nothing happens unless the row is in a source state, and still in the same try."""
        query = sa.update(payments).filter_by(id=payment.id).where(payments.c.state.in_([s.value for s in sources]))
        if not any_try:
            query = query.where(payments.c.tries == payment.tries)
        moved = connection.execute(query.values(state=target.value, **changes)).rowcount == 1
        if moved:
            _note(connection, payment.id, self.clock(), target, note)
        return moved


def _note(connection: sa.Connection, payment_id: int, at: datetime, state: State, note: str | None) -> None:
    connection.execute(sa.insert(payment_events).values(payment_id=payment_id, at=at, state=state.value, note=note))


def _payment(row: sa.Row[Any]) -> Payment:
    key = PaymentKey(row.campaign_id, row.purpose, row.worker, row.assignment)
    same = {name: getattr(row, name) for name in Payment.__dataclass_fields__ if name not in ("key", "state")}
    return Payment(key=key, state=State(row.state), **same)
