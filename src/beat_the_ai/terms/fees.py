"""The fees of Mechanical Turk on top of rewards and bonuses. Amounts are US cents.

Amazon's notice of 22 June 2015 to requesters: base commission 20% of rewards and bonuses, at least $0.01 for each.
Another 20% for HITs with 10 or more assignments; 5% for Masters. The pricing page's rounding rule: "we round half up
amounts greater than $0.01". Both are quoted on public requester blogs. That the percentages are added up before
anything is rounded is our reading; it can no longer be checked (docs/explanation/payments.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.errors import InvalidInput

BASE_PERCENT = 20
LARGE_HIT_PERCENT = 20
LARGE_HIT_ASSIGNMENTS = 10
MASTERS_PERCENT = 5
MINIMUM_CENTS = 1


@dataclass(frozen=True)
class Fees:
    """The fees of one campaign, none unless they are `charged`.

    Mephisto gives every HIT one assignment, so `assignments_per_hit` is 1 as a rule.
    """

    assignments_per_hit: int = 1
    masters: bool = False
    charged: bool = True

    def __post_init__(self) -> None:
        if self.assignments_per_hit < 1:
            raise InvalidInput("assignments_per_hit", f"{self.assignments_per_hit} was given; at least 1 is needed.")

    def on_reward(self, cents: int) -> int:
        """The fee of one approved assignment."""
        percent = BASE_PERCENT + (MASTERS_PERCENT if self.masters else 0)
        if self.assignments_per_hit >= LARGE_HIT_ASSIGNMENTS:
            percent += LARGE_HIT_PERCENT
        return _share(cents, percent) if self.charged else 0

    def on_bonus(self, cents: int) -> int:
        """The fee of one bonus, whoever gets it and whatever the HIT."""
        return _share(cents, BASE_PERCENT) if self.charged else 0


def _share(cents: int, percent: int) -> int:
    """`percent` of an amount, half a cent rounded up, at least a cent."""
    return max(MINIMUM_CENTS, (cents * percent + 50) // 100)
