"""The terms of a writing HIT: read once from the configuration, shown to the worker before the work.

Bonuses are not among them: `terms.bonuses` has them and the words about them.
"""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.errors import InvalidInput


@dataclass(frozen=True)
class Terms:
    """Terms of one writing HIT. Amounts are US cents.

    Up to five questions that beat the model, three wanted, fewer accepted for short passages; $2.00 a HIT
    (Bartolo et al. 2020, §3.2 and appendix B). Attempts that do not beat the model are limited by `max_tries` alone.
    While there is time left, a HIT takes `min_tries` attempts before it is handed in, and with `explains_wins` an
    explanation of each that beat the model. Without `shows_model` the writer sees no answer and no verdict of the
    model, and every attempt that is not taken back counts towards `max_wins` on the page.
    """

    wins_wanted: int = 3
    max_wins: int = 5
    max_tries: int = 25
    min_tries: int = 1
    explains_wins: bool = False
    reward_cents: int = 200
    time_limit_seconds: int = 3600
    shows_model: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.wins_wanted <= self.max_wins <= self.max_tries:
            raise InvalidInput(
                "terms",
                f"wins_wanted={self.wins_wanted}, max_wins={self.max_wins} and max_tries={self.max_tries} were given; "
                "they must not be below 1 and must not decrease in this order.",
            )
        if not 0 <= self.min_tries <= self.max_wins:  # whoever has all wins tries no more
            raise InvalidInput("min_tries", f"min_tries={self.min_tries} was given; it must be from 0 to max_wins.")
        for name in ("reward_cents", "time_limit_seconds"):
            if getattr(self, name) < 0:
                raise InvalidInput(name, f"{name}={getattr(self, name)} was given; it must not be negative.")
