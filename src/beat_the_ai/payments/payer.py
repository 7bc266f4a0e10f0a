"""Paying what is owed: unknown payments are settled first, then each new one is written down, looked for, and sent.

Every step may be the last: whatever the process was doing when it died, the next run goes on from the ledger. A bonus
is looked for in the crowd's own list directly before each time that it is sent, the first time too (a ledger may have
been restored from a backup). That list and the token cover each other: the token stops a second payment for 24 hours,
and is never relied upon for longer; by then the list shows the first one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from beat_the_ai.errors import Declined, OutOfFunds, TokenSpent, Unanswered
from beat_the_ai.payments.cap import Cap
from beat_the_ai.payments.gateway import PaymentGateway
from beat_the_ai.payments.ledger import Ledger
from beat_the_ai.payments.owed import Owed
from beat_the_ai.payments.payment import Payment, State
from beat_the_ai.requester import BookedBonus

PATIENCE = 3  # calls in a row without an answer, after which a run ends

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plan:
    """The steps of a run of payments, shown before they are taken."""

    new: tuple[Owed, ...]
    waiting: tuple[Payment, ...]
    unsettled: tuple[Payment, ...]
    beyond_cap: tuple[Owed, ...]

    @property
    def is_empty(self) -> bool:
        """Nothing can be done now."""
        return not (self.new or self.waiting or self.unsettled)

    @property
    def cost_cents(self) -> int:
        """Return the sum that would be sent, with fees; unsettled payments may turn out to have been paid already."""
        known = (*self.waiting, *self.unsettled)
        return sum(one.with_fee_cents for one in self.new) + sum(payment.with_fee_cents for payment in known)


def plan(owed: Iterable[Owed], ledger: Ledger, cap: Cap) -> Plan:
    """Nothing is asked and nothing changed. For a key that is in the ledger, the amount there stands."""
    earned, unconfirmed = {one.key: one for one in owed}, ledger.unconfirmed()
    known = ledger.known(earned)
    unpaid = [one for key, one in earned.items() if key not in known]
    new = cap.choose(unpaid, sum(cents for _, cents in ledger.totals().values()))
    return Plan(
        new=tuple(new),
        waiting=tuple(payment for payment in unconfirmed if payment.state is State.INTENT),
        unsettled=tuple(payment for payment in unconfirmed if payment.state in (State.SENT, State.UNKNOWN)),
        beyond_cap=tuple(unpaid[len(new) :]),
    )


class Payer:
    """Carries a plan out. Any number of them may work on the same campaign at once."""

    def __init__(self, ledger: Ledger, crowd: PaymentGateway, cap: Cap) -> None:
        self._ledger = ledger
        self._crowd = crowd
        self._cap = cap

    def pay(self, owed: Iterable[Owed]) -> str | None:
        """Pay as much as can be paid now. Returns why the run ended early, or None; the ledger has the rest."""
        try:
            self._crowd.balance_cents()  # keys and connection are right, before anything is written down
            self.settle()
            self._ledger.intend(owed, self._cap.choose)
            self._send_all()
            self.settle()
        except (Unanswered, OutOfFunds) as error:
            return str(error)
        return None

    def settle(self) -> None:
        """Find out about every payment that may have been made. Nothing is sent here."""
        self._ledger.doubt_abandoned()
        for payment in self._ledger.payments(State.UNKNOWN):
            try:
                self._settle(payment)
            except Declined as error:  # a HIT that is gone must not keep the others from being paid
                _log.warning("%s stays unknown, the crowd does not list it: %s", payment.key, error)

    def _settle(self, payment: Payment) -> None:
        if payment.is_reward:
            self._ledger.reopen(payment, "An approval may be asked for again: an assignment has only one.")
        elif booked := self._booked(payment):
            self._ledger.confirm(payment, booked.cents)
        elif payment.token_spent_at is None:
            self._ledger.reopen(payment, "The crowd's list does not show it.")
        else:
            # Only somebody who looks at the account can tell which of the crowd's two answers is wrong.
            _log.warning("%s stays unknown: its token was used, and the crowd's list does not show it", payment.key)

    def _booked(self, payment: Payment) -> BookedBonus | None:
        """The payment in the crowd's list, known by the key that stands in its reason."""
        for bonus in self._crowd.bonuses_paid(payment.key.assignment):
            if payment.key.mark in bonus.reason and bonus.worker == payment.key.worker:
                return bonus
        return None

    def _send_all(self) -> None:
        unanswered = 0
        for payment in self._ledger.payments(State.INTENT):
            claimed = self._ledger.claim(payment, self._cap.people_cents)
            if claimed is None:
                continue
            try:
                self._send(claimed)
                unanswered = 0
            except Unanswered:
                unanswered += 1
                if unanswered == PATIENCE:
                    raise
            except OutOfFunds:
                raise
            except Declined as error:
                _log.warning("%s was not paid: %s", payment.key, error)

    def _send(self, claimed: Payment) -> None:
        """Ask the crowd, and write down what it answered before anybody else hears of it."""
        try:
            booked_cents = self._ask(claimed)
        except Unanswered as error:
            self._ledger.doubt(claimed, str(error), token_spent=isinstance(error, TokenSpent))
            raise
        except Declined as error:
            self._ledger.decline(claimed, str(error))
            raise
        self._ledger.confirm(claimed, booked_cents)

    def _ask(self, claimed: Payment) -> int:
        """Pay, unless it was paid before. Returns the cents that the crowd booked."""
        key = claimed.key
        if claimed.is_reward:
            self._crowd.approve(key.assignment)
        elif booked := self._booked(claimed):
            return booked.cents
        elif not self._ledger.holds(claimed):  # this process slept since then; others went on, tokens ran out
            raise Declined("The claim ran out before the payment was sent.")
        else:
            self._crowd.send_bonus(key.worker, key.assignment, claimed.cents, claimed.reason, key.token)
        return claimed.cents
