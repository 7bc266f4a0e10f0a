"""A planned campaign, as far as a forecast depends on it. Amounts are hundredths of its unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from beat_the_ai.terms.tariff import Tariff


@dataclass(frozen=True)
class Plan:
    """The HITs of a round by the part of their context, their pay, and who checks what.

    A context without a win is offered `reoffers` times more. `checked` parts are validated, in HITs of `works_per_hit`
    works; a work gets `most_votes` where the pilot does not tell how many. `places` are those of the screening.
    Parts are to have the `wanted` examples.
    """

    campaign: str
    contexts: int
    hits_by_part: Mapping[str, int]
    tariff: Tariff
    reoffers: int = 0
    checked: tuple[str, ...] = ()
    works_per_hit: int = 1
    most_votes: int = 0
    places: int = 0
    screening_reward_cents: int = 0
    cap_cents: int = 0
    unit: str = "USD"
    is_balanced: bool = False
    wanted: Mapping[str, int] = field(default_factory=dict)

    @property
    def hits(self) -> int:
        return sum(self.hits_by_part.values())

    def figures(self) -> dict[str, int | str]:
        """Return the plan in short, by which a forecast is known to be of the same plan."""
        return {
            "campaign": self.campaign,
            "contexts": self.contexts,
            **{f"hits_{part}": hits for part, hits in self.hits_by_part.items()},
            "reward_cents": self.tariff.terms.reward_cents,
            "bonuses": "; ".join(term.words(self.unit) for term in self.tariff.rules.terms()),
            "max_wins": self.tariff.terms.max_wins,
            "max_tries": self.tariff.terms.max_tries,
            "reoffers": self.reoffers,
            **{f"wanted_{part}": wanted for part, wanted in self.wanted.items()},
            "checked": ", ".join(self.checked),
            "validation_reward_cents": self.tariff.validation_reward_cents,
            "places": self.places,
            "screening_reward_cents": self.screening_reward_cents,
            "cap_cents": self.cap_cents,
        }
