"""AdvScore: how much easier examples are for skilled people than for skilled models (Sung et al. 2025).

"Is your benchmark truly adversarial? AdvScore: Evaluating Human-Grounded Adversarialness", NAACL 2025, Eq. 2 to 10. Of
an example j with difficulty θ and discrimination γ (`statistics.irt`):

    margin μ           = p(right | mean ability of skilled people) - p(right | mean ability of skilled models)    (3)
    disagreement δ     = mean absolute deviation of p(right) among highly skilled people                          (5)
    discriminability κ = 1 - exp(-∫ γ² p(1 - p) dβ) = 1 - exp(-γ)                                                 (8, 9)
    AdvScore           = μ / (1 + δ) · (1 + κ)                                                                   (10)

and of a dataset the mean over its examples. Skilled are those above the mean ability of their group, highly skilled
those one standard deviation above it.

The formula is that of the third version of the paper (arXiv 2406.16342v3), as published. The authors' code
(github.com/yysung/Advscore) has three: μ(κ + δ), μ(1 + κ + δ), and Eq. 10. Unlike the paper it takes means of all
abilities, weighted by accuracy, and an integral that ends at ±5; over the whole line the integral of Eq. 8 is γ. With
their published parameters of ten Bamboogle questions, one pair of abilities gives their margins to five decimals. The
paper does not state the scale of γ, on which κ depends: here it is that of `irt`, abilities with a standard deviation
of 1.

Ours: a group in which nobody is skilled (one model alone, or equal ones) stands for itself; where fewer than two people
are highly skilled, all people take their place, as in the authors' code for teams of experts. Estimates are means of
draws from the posterior distribution, and intervals their quantiles. So they say how far the responses determine the
scores of these examples against these models; they do not say what other writers or models would do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.statistics.intervals import TAILS
from beat_the_ai.statistics.irt import Draw, Floats, Ints, Responses, fit, sigmoid

PEOPLE, MODELS = 0, 1  # groups of subjects
SKILLED, HIGHLY_SKILLED = 0.0, 1.0  # standard deviations above the mean of the group
DRAWS = 200
FEWEST_WHO_DISAGREE = 2
HARD = 0.5  # skilled people are less likely than this to be right
DULL = 0.5  # of the median discrimination: less, and skill hardly helps, as with an ambiguous question (§2)


@dataclass(frozen=True)
class Parts:
    """The score of each example and what it is made of; `people` and `models`: how likely the skilled are right.

    With an `ambiguous` one skill hardly helps: to be right is a matter of luck, or its answer is wrong. With a `clear`
    one it helps more than with the median one.
    """

    people: Floats
    models: Floats
    disagreement: Floats
    discriminability: Floats
    ambiguous: NDArray[np.bool_]
    clear: NDArray[np.bool_]

    @property
    def margin(self) -> Floats:
        return self.people - self.models

    @property
    def score(self) -> Floats:
        return self.margin / (1 + self.disagreement) * (1 + self.discriminability)

    @property
    def hard(self) -> NDArray[np.bool_]:
        """Return which examples even skilled people rather get wrong."""
        return self.people < HARD


@dataclass(frozen=True)
class Posterior:
    """A mean of draws from the posterior distribution, with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ExampleScore:
    """An example's figures. `people` and `models`: how likely the skilled are to be right.

    `hard`, `ambiguous` and `clear` are the probabilities that it is.
    """

    score: Posterior
    margin: Posterior
    difficulty: Posterior
    discrimination: Posterior
    people: float
    models: float
    disagreement: float
    discriminability: float
    hard: float
    ambiguous: float
    clear: float


@dataclass(frozen=True)
class GroupScore:
    """The means of a group of examples."""

    examples: int
    score: Posterior
    margin: Posterior
    disagreement: float
    discriminability: float


@dataclass(frozen=True)
class Scores:
    """AdvScore of each example, of all of them and by groups of them; abilities by subject.

    `against` has the score of all examples against other sets of models, by their names.
    """

    examples: Sequence[ExampleScore]
    overall: GroupScore
    groups: Mapping[str, GroupScore]
    abilities: Sequence[Posterior]
    against: Mapping[str, GroupScore]


def representative(abilities: Floats, above: float = SKILLED) -> float:
    """Return the mean ability of those this many standard deviations above the mean (Eq. 2); of all if none is."""
    return float(_skilled(abilities, above, 1).mean())


def parts(people: Floats, models: Floats, difficulties: Floats, discriminations: Floats) -> Parts:
    """Return the parts of AdvScore of each example, from the abilities of people and of models (Eq. 3 to 9)."""
    experts = _skilled(people, HIGHLY_SKILLED, FEWEST_WHO_DISAGREE)
    usual = float(np.median(discriminations))
    of_experts = sigmoid(discriminations[:, None] * (experts - difficulties[:, None]))
    return Parts(
        people=_chance(representative(people), difficulties, discriminations),
        models=_chance(representative(models), difficulties, discriminations),
        disagreement=np.abs(of_experts - of_experts.mean(axis=1, keepdims=True)).mean(axis=1),
        discriminability=1 - np.exp(-discriminations),
        ambiguous=discriminations < DULL * usual,
        clear=discriminations > usual,
    )


def scores(
    responses: Responses,
    groups: Mapping[str, Ints] | None = None,
    against: Mapping[str, Ints] | None = None,
    draws: int = DRAWS,
) -> Scores:
    """Fit people and models together, and return AdvScore with 95% intervals. The seed is fixed.

    `groups` has the examples (items) of each group, `against` the models (subjects) of each set to score against.
    Raises `ValueError` without a person or without a model, and as `irt.fit`.
    """
    is_person = responses.group == PEOPLE
    if is_person.all() or not is_person.any():
        raise ValueError("AdvScore compares people with models: responses of at least one of each are needed")
    groups, against = groups or {}, against or {}
    kept = _Kept(draws, responses)
    by_group = {name: _Mean(draws) for name in groups}
    by_models = {name: _Mean(draws) for name in against}
    overall = _Mean(draws)
    for number, draw in enumerate(fit(responses).draws(draws)):
        people, rest = draw.abilities[is_person], draw.abilities[~is_person]
        found = parts(people, rest, draw.difficulties, draw.discriminations)
        kept.add(number, draw, found)
        overall.add(number, found)
        for name, items in groups.items():
            by_group[name].add(number, found, items)
        for name, models in against.items():
            theirs = representative(draw.abilities[models])
            by_models[name].add(number, replace(found, models=_chance(theirs, draw.difficulties, draw.discriminations)))
    return Scores(
        kept.examples(),
        overall.group(responses.items),
        {name: by_group[name].group(len(items)) for name, items in groups.items()},
        [_estimate(column) for column in kept.abilities.T],
        {name: mean.group(responses.items) for name, mean in by_models.items()},
    )


class _Mean:
    """The means over a group of examples, by draws."""

    def __init__(self, draws: int) -> None:
        self._values = np.zeros((4, draws))

    def add(self, number: int, found: Parts, items: Ints | slice = slice(None)) -> None:
        columns = (found.score, found.margin, found.disagreement, found.discriminability)
        self._values[:, number] = [column[items].mean() for column in columns]

    def group(self, examples: int) -> GroupScore:
        score, margin, disagreement, discriminability = self._values
        return GroupScore(
            examples, _estimate(score), _estimate(margin), float(disagreement.mean()), float(discriminability.mean())
        )


_SPREAD: Sequence[Callable[[Draw, Parts], Floats]] = (
    lambda _, found: found.score,
    lambda _, found: found.margin,
    lambda draw, _: draw.difficulties,
    lambda draw, _: draw.discriminations,
)
_MEAN: Sequence[Callable[[Parts], NDArray[np.float64 | np.bool_]]] = (
    lambda found: found.people,
    lambda found: found.models,
    lambda found: found.disagreement,
    lambda found: found.discriminability,
    lambda found: found.hard,
    lambda found: found.ambiguous,
    lambda found: found.clear,
)


class _Kept:
    """The record of all draws: the values of figures with an interval, and the sums of the others."""

    def __init__(self, draws: int, responses: Responses) -> None:
        self.abilities = np.zeros((draws, responses.subjects))
        self._draws = draws
        self._spread = np.zeros((len(_SPREAD), draws, responses.items), dtype=np.float32)
        self._sums = np.zeros((len(_MEAN), responses.items))

    def add(self, number: int, draw: Draw, found: Parts) -> None:
        self.abilities[number] = draw.abilities
        for place, spread in enumerate(_SPREAD):
            self._spread[place, number] = spread(draw, found)
        for place, mean in enumerate(_MEAN):
            self._sums[place] += mean(found)

    def examples(self) -> list[ExampleScore]:
        means = self._spread.mean(axis=1)
        lows, highs = np.quantile(self._spread, TAILS, axis=1)
        return [
            ExampleScore(*(Posterior(*map(float, ends)) for ends in zip(*three, strict=True)), *map(float, plain))  # type: ignore[arg-type]
            for *three, plain in zip(means.T, lows.T, highs.T, (self._sums / self._draws).T, strict=True)
        ]


def _estimate(values: Floats) -> Posterior:
    low, high = np.quantile(values, TAILS)
    return Posterior(float(values.mean()), float(low), float(high))


def _skilled(abilities: Floats, above: float, fewest: int) -> Floats:
    """Return the abilities of those so many standard deviations above the mean; of all if these are fewer."""
    chosen = abilities[abilities > abilities.mean() + above * abilities.std()]
    return chosen if len(chosen) >= fewest else abilities


def _chance(ability: float, difficulties: Floats, discriminations: Floats) -> Floats:
    """Return how likely somebody of this ability is to be right, by example (Eq. 1)."""
    return sigmoid(discriminations * (ability - difficulties))
