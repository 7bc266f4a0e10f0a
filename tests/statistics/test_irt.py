"""Abilities, difficulties and discriminations from right and wrong answers."""

from __future__ import annotations

import numpy as np
import pytest

from beat_the_ai.statistics import irt
from beat_the_ai.statistics.irt import Fit, Floats, Responses, fit
from tests.statistics.responses import covered, simulated


def responses(rows: list[str], group: list[int] | None = None) -> Responses:
    """Each row has a subject's answers: 1, 0, and "." for none."""
    given = [(s, i, mark == "1") for s, row in enumerate(rows) for i, mark in enumerate(row) if mark != "."]
    subject, item, right = map(np.array, zip(*given, strict=True))
    return Responses(subject, item, right, np.array(group or [0] * len(rows)), max(map(len, rows)))


def test_known_parameters_are_within_their_intervals() -> None:
    shares = []
    for seed in range(8):
        known = simulated(seed, items=150, people=20, models=5, answered=0.6)
        draws = list(fit(known.responses).draws(100))
        shares.append(
            (
                covered([draw.abilities for draw in draws], known.abilities),
                covered([draw.difficulties for draw in draws], known.difficulties),
                covered([draw.discriminations for draw in draws], known.discriminations),
            )
        )
        mean = np.mean([draw.abilities for draw in draws], axis=0)
        assert np.corrcoef(mean, known.abilities)[0, 1] > 0.9
    assert np.mean(shares, axis=0) == pytest.approx([0.94, 0.94, 0.94], abs=0.04)


def test_abilities_are_where_an_independent_likelihood_is_highest_and_as_sure_as_it_is_curved() -> None:
    """By Gauss-Hermite quadrature in the place of the grid, and by differences in the place of derivatives."""
    fitted = fit(simulated(1, items=60, people=6, models=2, answered=0.8).responses)
    subjects = len(fitted.abilities)
    step, units = 1e-2, np.eye(subjects)
    places = fitted.abilities
    at = {
        (i, j, a, b): _log_posterior(fitted, places + step * (a * units[i] + b * units[j]))
        for i in range(subjects)
        for j in range(i + 1)
        for a in (-1, 1)
        for b in (-1, 1)
    }
    curvature = np.zeros((subjects, subjects))
    for i in range(subjects):
        for j in range(i + 1):
            mixed = at[i, j, 1, 1] - at[i, j, 1, -1] - at[i, j, -1, 1] + at[i, j, -1, -1]
            curvature[i, j] = curvature[j, i] = -mixed / (4 * step**2)
    slope = [
        (_log_posterior(fitted, places + step * one) - _log_posterior(fitted, places - step * one)) / (2 * step)
        for one in units
    ]
    off = np.abs(np.linalg.solve(curvature, np.array(slope)))
    assert off.max() < 0.05 * np.sqrt(np.diag(fitted.covariance)).min()
    assert np.linalg.inv(curvature) == pytest.approx(fitted.covariance, rel=0.1, abs=0.02 * fitted.covariance.max())


def _log_posterior(fitted: Fit, abilities: Floats) -> float:
    """Return the logarithm of the marginal likelihood of abilities, times the density of their prior."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    spread, given = fitted.spread, fitted.responses
    location = spread.location + spread.location_spread * nodes
    slope = np.exp(spread.slope + spread.slope_spread * nodes)
    total = float(-abilities @ fitted.prior_precision @ abilities / 2)
    for item in range(given.items):
        of_item = given.item == item
        who, right = given.subject[of_item], given.right[of_item]
        chance = (1 + np.tanh(slope[:, None, None] * (abilities[who] - location[:, None]) / 2)) / 2
        likelihood = np.prod(np.where(right, chance, 1 - chance), axis=2)
        total += float(np.log(weights @ likelihood @ weights))
    return total


def test_an_item_or_a_subject_that_is_always_or_never_right_has_finite_parameters() -> None:
    fitted = fit(responses(["111111", "000000", "101.0.", "1.0..0"], [0, 1, 0, 1]))
    draws = list(fitted.draws(50))
    assert np.isfinite(fitted.abilities).all()
    assert fitted.abilities.argmax() == 0
    assert fitted.abilities.argmin() == 1
    assert all(np.isfinite(draw.difficulties).all() and (draw.discriminations > 0).all() for draw in draws)
    first = np.mean([draw.difficulties for draw in draws], axis=0)
    assert first[0] == first.min()


def test_what_few_answer_is_less_sure() -> None:
    known = simulated(3, items=80, people=12, models=3, answered=1.0)
    given = known.responses
    kept = (given.subject > 0) | (given.item < 10)  # the first subject answers 10 of 80
    fewer = Responses(given.subject[kept], given.item[kept], given.right[kept], given.group, given.items)
    before, after = (np.diag(fit(one).covariance) for one in (given, fewer))
    assert after[0] > 2 * before[0]
    assert after[1:] == pytest.approx(before[1:], rel=0.3)


def test_the_same_responses_give_the_same_draws_in_any_order() -> None:
    given = simulated(4, items=40, people=6, models=2, answered=0.7).responses
    order = np.random.default_rng(0).permutation(len(given.item))
    shuffled = Responses(given.subject[order], given.item[order], given.right[order], given.group, given.items)
    one, other = (list(fit(each).draws(3)) for each in (given, shuffled))
    for mine, theirs in zip(one, other, strict=True):
        assert mine.abilities == pytest.approx(theirs.abilities)
        assert mine.difficulties == pytest.approx(theirs.difficulties)


def test_the_scale_is_that_of_the_subjects() -> None:
    for draw in fit(simulated(5, items=40, people=6, models=2, answered=1.0).responses).draws(3):
        assert (draw.abilities.mean(), draw.abilities.std()) == pytest.approx((0, 1))


def test_items_come_in_blocks_without_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    given = simulated(6, items=50, people=5, models=2, answered=0.9).responses
    whole = fit(given)
    monkeypatch.setattr(irt, "CHUNK", 7)
    assert fit(given).abilities == pytest.approx(whole.abilities, abs=1e-3)


@pytest.mark.parametrize("given", [responses(["101"]), Responses(*(np.array([], dtype=int),) * 3, np.array([0, 1]), 0)])
def test_one_subject_has_no_scale(given: Responses) -> None:
    with pytest.raises(ValueError, match="two subjects and one item needed"):
        fit(given)
