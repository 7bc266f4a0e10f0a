"""A crowd with known rates, campaigns that it does, and what each comes to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beat_the_ai.forecast.pilot import Pilot, PilotHit, PilotWriter
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.store import AttemptResult
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.tariff import Tariff
from beat_the_ai.terms.writing import Terms

MOST_WINS = 3
CHECKED_SHARE = 0.25


def tariff(reward_cents: int = 100, *, bonus_cents: int = 20, verified_cents: int = 30) -> Tariff:
    terms = Terms(wins_wanted=1, max_wins=MOST_WINS, max_tries=9, reward_cents=reward_cents)
    return Tariff(terms, BonusRules(bonus_cents, verified_cents), Fees(), validation_reward_cents=50)


def plan(hits: int, *, reoffers: int = 0, places: int = 0, pay: Tariff | None = None) -> Plan:
    parts = {"train": hits - round(hits * CHECKED_SHARE), "test": round(hits * CHECKED_SHARE)}
    return Plan(
        "planned",
        hits,
        parts,
        pay or tariff(),
        reoffers=reoffers,
        checked=("test",),
        works_per_hit=8,
        most_votes=3,
        places=places,
        screening_reward_cents=200,
    )


@dataclass(frozen=True)
class Crowd:
    """Writers differ in skill, pace, works that others keep, and HITs; a tenth of them is discarded."""

    win: float = 0.4
    spread: float = 6.0

    def writer(self, draw: np.random.Generator) -> PilotWriter:
        skill = draw.beta(self.win * self.spread, (1 - self.win) * self.spread)
        keeps, pace = draw.beta(8, 2), draw.lognormal(5.5, 0.4)
        hits = tuple(self._hit(draw, skill, pace, f"{n}") for n in range(1 + draw.poisson(4)))
        asked = sum(hit.beaten for hit in hits)
        return PilotWriter(
            hits, asked, asked, asked, int(draw.binomial(asked, keeps)), 3 * asked, bool(draw.random() < 0.1)
        )

    def _hit(self, draw: np.random.Generator, skill: float, pace: float, name: str) -> PilotHit:
        wins = int(draw.binomial(MOST_WINS, skill))
        tries = wins + int(draw.poisson(2))
        tried = [AttemptResult(f"{name}-{n}", n + 1, n < wins) for n in range(tries)]
        return PilotHit(float(pace * draw.lognormal(0, 0.3)), tries, wins, tried)

    def pilot(self, draw: np.random.Generator, writers: int) -> Pilot:
        made = tuple(self.writer(draw) for _ in range(writers))
        votes = sum(writer.votes for writer in made)
        checkers = tuple(tuple(draw.lognormal(6, 0.3, size=5)) for _ in range(6))
        return Pilot(made, checkers, vote_places=max(1, votes), wall_hours=10.0)

    def outcome(self, draw: np.random.Generator, planned: Plan) -> dict[str, float]:
        """Do the planned HITs, and return what they come to."""
        hits: list[tuple[PilotHit, PilotWriter]] = []
        while len(hits) < planned.hits:
            writer = self.writer(draw)
            hits += [(hit, writer) for hit in writer.hits]
        order = draw.permutation(hits_taken := planned.hits)
        rewards, money, examples = 0.0, 0.0, {"train": 0.0, "test": 0.0}
        found = {"attempts": 0.0, "wins": 0.0, "writing_hours": 0.0}
        for number, (hit, writer) in enumerate(hits[:hits_taken]):
            is_checked = order[number] < planned.hits_by_part["test"]
            kept_share = writer.kept / writer.asked if writer.asked else 0.0
            verified = int(draw.binomial(hit.beaten, kept_share)) if is_checked else 0
            ids = {one.id for one in [each for each in hit.tried if each.won][:verified]}
            money += sum(bonus.cents for bonus in planned.tariff.rules.earned(hit.tried, ids))
            rewards += planned.tariff.terms.reward_cents
            found["writing_hours"] += hit.seconds / 3600
            if not writer.discarded:
                found["attempts"] += hit.attempts
                found["wins"] += hit.beaten
                examples["test" if is_checked else "train"] += verified if is_checked else hit.beaten
        return {
            **found,
            "bonuses_cents": money,
            "rewards_cents": rewards,
            **{f"examples_{part}": number for part, number in examples.items()},
        }
