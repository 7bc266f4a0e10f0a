"""Work to pay for, written in one letter per attempt.

W won, E won and explained, L lost, R won and taken back; won and doubted: H on hold, A admitted, N not admitted.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from beat_the_ai.payments import Owed, PaymentKey
from beat_the_ai.store import Assignment, Attempt, Store
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.tariff import Tariff, Tariffs
from beat_the_ai.terms.writing import Terms
from tests.store.builders import NEW_YEAR, attempt, campaign, context

FEES = Fees()


def attempts(letters: str, assignment_id: str = "a1") -> list[Attempt]:
    return [
        attempt(
            assignment_id,
            ordinal,
            fooled=letter in "WERHAN",
            retracted_at=NEW_YEAR if letter == "R" else None,
            explanation={"why": "it is so"} if letter == "E" else None,
            doubts=["It is a copy."] if letter in "HAN" else None,
            admitted={"A": True, "N": False}.get(letter),
        )
        for ordinal, letter in enumerate(letters, start=1)
    ]


def offer(store: Store, hits: int) -> list[str]:
    store.campaigns.create(campaign())
    return list(store.campaigns.offer("pilot", [context()], round_number=1, slots=hits))


def submitted(
    store: Store,
    hit_id: str,
    letters: str,
    *,
    worker: str = "A1",
    crowd_id: str = "3X",
    minutes: float = 30,
    awaits_crowd: bool = False,
) -> Assignment:
    """A worker's finished HIT, submitted so many minutes after its acceptance."""
    made = store.attempts.accept(hit_id, worker, f"{crowd_id}-{worker}", NEW_YEAR)[0]
    for one in attempts(letters, made.id):
        store.attempts.add(one)
    return store.assignments.submit(made.id, None, NEW_YEAR + timedelta(minutes=minutes), awaits_crowd=awaits_crowd)


def owed(
    purpose: str = "wins", worker: str = "A1", assignment: str = "3X", cents: int = 30, campaign_id: str = "pilot"
) -> Owed:
    key = PaymentKey(campaign_id, purpose, worker, assignment)
    fee_cents = FEES.on_reward(cents) if purpose == "reward" else FEES.on_bonus(cents)
    return Owed(key, cents, fee_cents, "Bonus. Thank you!")


def tariffs(reward_cents: int = 200, terms: Terms | None = None, **rules: Any) -> Tariffs:
    """Of a campaign with one round."""
    return {1: Tariff(replace(terms or Terms(), reward_cents=reward_cents), BonusRules(**rules), FEES)}
