"""Simulated responses, whose parameters are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beat_the_ai.statistics.advscore import MODELS, PEOPLE
from beat_the_ai.statistics.irt import Floats, Responses


@dataclass(frozen=True)
class Simulated:
    """Responses, and the parameters that made them, on the scale of the abilities."""

    responses: Responses
    abilities: Floats
    difficulties: Floats
    discriminations: Floats

    @property
    def people(self) -> Floats:
        return np.asarray(self.abilities[self.responses.group == PEOPLE])

    @property
    def models(self) -> Floats:
        return np.asarray(self.abilities[self.responses.group == MODELS])


def simulated(seed: int, *, items: int, people: int, models: int, answered: float, gap: float = 1.0) -> Simulated:
    """People answer a share of the items, models all; the mean abilities of the two differ by `gap`."""
    rng = np.random.default_rng(seed)
    abilities = np.concatenate([rng.normal(gap, 0.8, people), rng.normal(0, 0.8, models)])
    difficulties, discriminations = rng.normal(0.5, 1.2, items), np.exp(rng.normal(0.1, 0.4, items))
    seen = np.ones((people + models, items), dtype=bool)
    seen[:people] = rng.random((people, items)) < answered
    chance = 1 / (1 + np.exp(-discriminations * (abilities[:, None] - difficulties)))
    subject, item = np.nonzero(seen)
    right = (rng.random(chance.shape) < chance)[subject, item]
    group = np.repeat([PEOPLE, MODELS], [people, models])
    centre, scale = abilities.mean(), abilities.std()
    return Simulated(
        Responses(subject, item, right, group, items),
        (abilities - centre) / scale,
        (difficulties - centre) / scale,
        discriminations * scale,
    )


def covered(draws: list[Floats], true: Floats) -> float:
    """Return the share of values that are within the 95% intervals of their draws."""
    low, high = np.quantile(np.array(draws), [0.025, 0.975], axis=0)
    return float(np.mean((low <= true) & (true <= high)))
