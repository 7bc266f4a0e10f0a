"""A payment as the ledger keeps it. Amounts are US cents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from beat_the_ai.payments.key import PaymentKey
from beat_the_ai.terms.purposes import REWARD


class State(str, Enum):
    """The state of a payment. In all but the first, money may have moved."""

    INTENT = "intent"
    SENT = "sent"
    CONFIRMED = "confirmed"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Payment:
    """A row of the ledger. `tries` counts the claims; `sent_at` is the time of the last one."""

    id: int
    key: PaymentKey
    cents: int
    fee_cents: int
    state: State
    reason: str
    tries: int
    created_at: datetime
    sent_at: datetime | None
    confirmed_at: datetime | None
    token_spent_at: datetime | None
    error: str | None

    @property
    def with_fee_cents(self) -> int:
        return self.cents + self.fee_cents

    @property
    def is_reward(self) -> bool:
        return self.key.purpose == REWARD
