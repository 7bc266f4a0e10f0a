"""AdvScore by the formulas of the paper, and on responses whose parameters are known."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from beat_the_ai.statistics.advscore import Parts, parts, representative, scores
from beat_the_ai.statistics.irt import Responses
from tests.statistics.responses import simulated


def sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def test_the_skilled_are_those_above_the_mean_of_their_group() -> None:
    """Eq. 2, with k = 0 and k = 1: mean 1, standard deviation √2 (of the group, as it is)."""
    abilities = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])
    assert representative(abilities) == 2.5
    assert representative(abilities, above=1.0) == 3.0
    assert representative(np.array([0.7])) == 0.7
    assert representative(np.array([0.7, 0.7])) == 0.7


def test_an_example_has_the_parts_that_the_equations_say() -> None:
    """Eq. 3 to 10 by hand. People above 1.06 standard deviations: 2.0 and 3.0; models above their mean: 0.5."""
    people = np.array([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 3.0])
    models, difficulty, discrimination = np.array([-1.5, 0.5]), 0.8, 1.4
    found = parts(people, models, np.array([difficulty]), np.array([discrimination]))
    by_people, by_models = sigmoid(1.4 * (2.5 - 0.8)), sigmoid(1.4 * (0.5 - 0.8))
    experts = [sigmoid(1.4 * (ability - 0.8)) for ability in (2.0, 3.0)]
    disagreement = abs(experts[0] - experts[1]) / 2
    grid = np.linspace(-60, 60, 400_001)
    chance = 1 / (1 + np.exp(-discrimination * (grid - difficulty)))
    information = float(np.trapezoid(discrimination**2 * chance * (1 - chance), grid))
    discriminability = 1 - math.exp(-information)
    assert found.margin[0] == pytest.approx(by_people - by_models)
    assert found.disagreement[0] == pytest.approx(disagreement)
    assert found.discriminability[0] == pytest.approx(discriminability, abs=1e-9)
    expected = (by_people - by_models) / (1 + disagreement) * (1 + discriminability)
    assert found.score[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("margin", "discriminability", "disagreement", "published"),
    [(0.17, 0.93, 0.08, 0.31), (-0.05, 0.22, 0.01, -0.07), (-0.12, 0.93, 0.11, -0.21), (0.09, 0.56, 0.03, 0.13)],
    ids=["AdvQA", "FM2", "Bamboogle", "TrickMe"],
)
def test_table_1_is_as_the_formula_says_within_its_rounding(
    margin: float, discriminability: float, disagreement: float, published: float
) -> None:
    half = 0.005
    ends = [
        Parts(
            people=np.array([margin + a * half]),
            models=np.zeros(1),
            disagreement=np.array([disagreement + b * half]),
            discriminability=np.array([discriminability + c * half]),
            ambiguous=np.zeros(1, dtype=bool),
            clear=np.zeros(1, dtype=bool),
        ).score[0]
        for a, b, c in product((-1, 1), repeat=3)
    ]
    assert min(ends) - half <= published <= max(ends) + half


def test_the_score_of_known_parameters_is_within_its_interval() -> None:
    inside, of_examples = [], []
    for seed in range(10):
        known = simulated(seed, items=120, people=16, models=4, answered=0.7)
        true = parts(known.people, known.models, known.difficulties, known.discriminations)
        found = scores(known.responses, draws=100)
        inside.append(found.overall.score.low <= true.score.mean() <= found.overall.score.high)
        of_examples += [
            example.score.low <= score <= example.score.high
            for example, score in zip(found.examples, true.score, strict=True)
        ]
        assert found.overall.margin.value == pytest.approx(true.margin.mean(), abs=0.15)
        assert found.overall.discriminability == pytest.approx(true.discriminability.mean(), abs=0.15)
    assert sum(inside) >= 8
    assert np.mean(of_examples) == pytest.approx(0.93, abs=0.05)


def test_where_models_are_better_it_is_below_0() -> None:
    found = scores(simulated(1, items=80, people=8, models=4, answered=1.0, gap=-1.5).responses, draws=50)
    assert found.overall.score.high < 0


def test_groups_are_the_means_of_their_examples_and_models_are_compared_alone() -> None:
    known = simulated(2, items=60, people=8, models=3, answered=1.0)
    first, rest = np.arange(20), np.arange(20, 60)
    models = {f"m{number}": np.array([8 + number]) for number in range(3)}
    found = scores(known.responses, {"first": first, "rest": rest}, models, draws=50)
    of_first = np.mean([example.score.value for example in found.examples[:20]])
    assert found.groups["first"].score.value == pytest.approx(of_first, abs=1e-5)
    assert found.groups["rest"].examples == 40
    weakest = min(models, key=lambda name: found.abilities[models[name][0]].value)
    assert max(found.against, key=lambda name: found.against[name].score.value) == weakest


def test_hard_examples_with_which_skill_does_not_help_are_told_apart() -> None:
    """Simulate 90 examples: on 15 hard ones luck alone decides, on 15 other hard ones skill does."""
    rng = np.random.default_rng(0)
    abilities = np.concatenate([rng.normal(0.5, 1, 30), rng.normal(-1, 0.7, 6)])
    difficulties, discriminations = rng.normal(-0.5, 1, 90), np.exp(rng.normal(0.3, 0.3, 90))
    logits = discriminations * (abilities[:, None] - difficulties)
    logits[:, :15] = math.log(0.3 / 0.7)
    logits[:, 15:30] = 1.8 * (abilities[:, None] - 1.3)
    right = rng.random(logits.shape) < 1 / (1 + np.exp(-logits))
    subject, item = np.nonzero(np.ones_like(right))
    given = Responses(subject, item, right[subject, item], np.repeat([0, 1], [30, 6]), 90)
    found = scores(given, draws=100).examples
    assert np.mean([example.hard > 0.5 for example in found[15:30]]) > 0.5
    assert np.mean([example.hard > 0.5 for example in found[30:]]) < 0.2
    ambiguous = np.array([example.ambiguous for example in found])
    assert ambiguous[:15].mean() > 0.3
    assert ambiguous[15:].mean() < 0.1
    clear = [float(np.mean([example.clear for example in some])) for some in (found[:15], found[15:30])]
    assert clear[0] < 0.2
    assert clear[1] > 0.6


@pytest.mark.parametrize("group", [[0, 0], [1, 1]])
def test_people_and_models_are_both_needed(group: list[int]) -> None:
    given = Responses(np.array([0, 1]), np.array([0, 0]), np.array([True, False]), np.array(group), 1)
    with pytest.raises(ValueError, match="at least one of each"):
        scores(given)
