"""The terms of a validation HIT: read once from the configuration, shown to the worker before the work."""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.errors import InvalidInput


@dataclass(frozen=True)
class ValidationTerms:
    """Terms of one validation HIT. Amounts are US cents.

    `gold_per_hit` works with known answers come in addition to `works_per_hit`. `same_context` keeps works
    on one context together, as the paper's HITs did (Bartolo et al. 2020, appendix B); otherwise the least validated
    come first wherever they are. `adaptive` stops asking once the status of a work can no longer change. At most
    `open_hits` HITs wait for a worker at a time.
    """

    works_per_hit: int = 8
    gold_per_hit: int = 1
    same_context: bool = True
    adaptive: bool = False
    open_hits: int = 50
    reward_cents: int = 100
    time_limit_seconds: int = 3600

    def __post_init__(self) -> None:
        for name in ("works_per_hit", "open_hits"):
            if getattr(self, name) < 1:
                raise InvalidInput(name, f"{name}={getattr(self, name)} was given; at least 1 is needed.")
        for name in ("gold_per_hit", "reward_cents", "time_limit_seconds"):
            if getattr(self, name) < 0:
                raise InvalidInput(name, f"{name}={getattr(self, name)} was given; it must not be negative.")
