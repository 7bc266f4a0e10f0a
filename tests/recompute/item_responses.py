"""The two-parameter logistic model of people's and models' answers, fitted by scipy's minimiser.

p(right) = σ(γ(β - θ)) for ability β, difficulty θ and discrimination γ. θ and log γ are normal over the items, and are
integrated out on a grid; abilities are normal around the mean of their group. All that is uncertain has a weak prior.
The variance of the abilities is found by EM: what is not known of each counts, too. Draws are from the normal
approximation of the abilities at their mode, and of the items given these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special, stats

LOCATIONS, SLOPES = np.linspace(-4, 4, 31), np.linspace(-3, 3, 11)  # standard deviations of the items
WORTH, LOCATION_SPREAD, SLOPE_SPREAD, ABILITY_VARIANCE = 4.0, 1.0, 0.5, 0.5  # of the priors, the first in observations
DRAWS = 300
MOST_ROUNDS, ENOUGH = 20, 0.03
STIFF = 300.0
WIDEST = 2.0  # standard deviation of an ability


@dataclass(frozen=True)
class Answers:
    """`right` has a row for each item and a column for each subject, NaN where it was not asked."""

    right: Any
    is_person: Any


@dataclass(frozen=True)
class Drawn:
    """Abilities with mean 0 and standard deviation 1, difficulties and discriminations."""

    abilities: Any
    difficulties: Any
    discriminations: Any


class Fit:
    def __init__(self, answers: Answers) -> None:
        self._asked = (~np.isnan(answers.right)).astype(float)
        self._right = np.nan_to_num(answers.right)
        self._is_person = answers.is_person
        self._location, self._slope = (axis.ravel() for axis in np.meshgrid(LOCATIONS, SLOPES, indexing="ij"))
        weights = stats.norm.logpdf(self._location) + stats.norm.logpdf(self._slope)
        self._log_prior = weights - special.logsumexp(weights)
        shares = (self._right.sum(axis=0) + 0.5) / (self._asked.sum(axis=0) + 1)
        first = stats.zscore(special.logit(shares)) if np.ptp(shares) else np.zeros(len(shares))
        self._best = np.concatenate([first, [0, 0, 0, np.log(SLOPE_SPREAD)]])
        self._variance = 1.0
        self._root = np.eye(len(first)) / 2
        for _ in range(MOST_ROUNDS):
            self._best = optimize.minimize(self._on_scale, self._best, jac=True, method="L-BFGS-B").x
            self._best = optimize.minimize(self._of_known_items, self._best, jac=True, method="L-BFGS-B").x
            self._root = self._root_of_covariance()
            before, self._variance = self._variance, self._next_variance()
            if abs(np.log(self._variance / before)) < ENOUGH:
                break

    def _nodes(self, items: Any) -> tuple[Any, Any]:
        location, log_spread, slope, log_slope_spread = items
        return location + np.exp(log_spread) * self._location, slope + np.exp(log_slope_spread) * self._slope

    def _weights(self, abilities: Any, items: Any) -> tuple[Any, Any, Any]:
        """Return the logarithms of the items' weights at the nodes, and of how much these are in all; the logits."""
        location, slope = self._nodes(items)
        logits = np.exp(slope) * (abilities[:, None] - location)
        logs = self._right @ logits - self._asked @ np.logaddexp(0, logits) + self._log_prior
        total = special.logsumexp(logs, axis=1, keepdims=True)
        return logs - total, total, logits

    def _lost(self, given: Any) -> tuple[float, Any]:
        """Return the negative logarithm of the posterior density with the items integrated out, and its slope."""
        count = len(self._is_person)
        abilities, items = given[:count], given[count:]
        logs, total, logits = self._weights(abilities, items)
        weights = np.exp(logs)
        residual = self._right.T @ weights - (self._asked.T @ weights) * special.expit(logits)
        _, slope = self._nodes(items)
        by_node = residual * np.exp(slope)
        bent = (residual * logits).sum(axis=0)  # along the logarithm of the discrimination
        spread, slope_spread = np.exp(items[1]), np.exp(items[3])
        gain = np.concatenate(
            [
                by_node.sum(axis=1),
                [
                    -by_node.sum(),
                    -(by_node.sum(axis=0) @ self._location) * spread,
                    bent.sum(),
                    bent @ self._slope * slope_spread,
                ],
            ]
        )
        prior, prior_slope = self._prior(abilities, items)
        return -(float(total.sum()) + prior), -(gain + prior_slope)

    def _less_mean(self, abilities: Any) -> tuple[Any, float]:
        """Return abilities less the mean of their group, and what the means add up to, squared.

        It is the most probable mean, whose own prior is standard normal.
        """
        less, squares = np.zeros(len(abilities)), 0.0
        for group in (self._is_person, ~self._is_person):
            mean = abilities[group].sum() / (group.sum() + self._variance)
            less[group] = abilities[group] - mean
            squares += mean**2
        return less, squares

    def _next_variance(self) -> float:
        less, _ = self._less_mean(self._best[: len(self._is_person)])
        unknown = (self._root**2).sum()
        worth = WORTH / 2
        return float(((less**2).sum() + unknown + worth * ABILITY_VARIANCE) / (len(less) + worth))

    def _on_scale(self, given: Any) -> tuple[float, Any]:
        """Return the same where abilities, with what is not known of them, have mean 0 and mean square 1; else more.

        Priors of the items are on that scale.
        """
        lost, slope = self._lost(given)
        count = len(self._is_person)
        abilities = given[:count]
        squares = (abilities**2).mean() + (self._root**2).sum() / count
        mean, off = abilities.mean(), np.log(squares)
        away = np.zeros(len(given))
        away[:count] = (2 * mean + 4 * off / squares * abilities) / count
        return lost + STIFF * float(mean**2 + off**2), slope + STIFF * away

    def _of_known_items(self, given: Any) -> tuple[float, Any]:
        """Return what is lost while the distribution of the items stays."""
        lost, slope = self._lost(np.concatenate([given[: len(self._is_person)], self._best[len(self._is_person) :]]))
        slope[len(self._is_person) :] = 0
        return lost, slope

    def _prior(self, abilities: Any, items: Any) -> tuple[float, Any]:
        """Return the logarithm of the prior density up to a constant, and its slope."""
        less, squares = self._less_mean(abilities)
        value = -((less**2).sum() / self._variance + squares) / 2
        of_abilities = -less / self._variance
        _, log_spread, slope, log_slope_spread = items
        of_items = [0.0, 0.0, 0.0, 0.0]
        for place, (log_width, usual) in enumerate(((log_spread, LOCATION_SPREAD), (log_slope_spread, SLOPE_SPREAD))):
            excess = WORTH * usual**2 / np.exp(2 * log_width)
            value -= WORTH * log_width + excess / 2
            of_items[2 * place + 1] = -WORTH + excess
        value -= WORTH * slope**2 / SLOPE_SPREAD**2 / 2
        of_items[2] = -WORTH * slope / SLOPE_SPREAD**2
        return float(value), np.concatenate([of_abilities, of_items])

    def _root_of_covariance(self) -> Any:
        count, step = len(self._is_person), 1e-4
        rows = []
        for number in range(count):
            ahead, behind = self._best.copy(), self._best.copy()
            ahead[number] += step
            behind[number] -= step
            rows.append((self._lost(ahead)[1][:count] - self._lost(behind)[1][:count]) / (2 * step))
        information = (np.array(rows) + np.array(rows).T) / 2
        values, vectors = np.linalg.eigh(information)
        return vectors / np.sqrt(np.maximum(values, 1 / WIDEST**2))

    def draws(self) -> Iterator[Drawn]:
        count, draw = len(self._is_person), np.random.default_rng(20)
        items = self._best[count:]
        location, slope = self._nodes(items)
        wide = (LOCATIONS[1] - LOCATIONS[0]) * np.exp(items[1]), (SLOPES[1] - SLOPES[0]) * np.exp(items[3])
        for _ in range(DRAWS):
            abilities = self._best[:count] + self._root @ draw.standard_normal(count)
            logs, _, _ = self._weights(abilities, items)
            nodes = (logs + draw.gumbel(size=logs.shape)).argmax(axis=1)
            moved = draw.random((2, len(nodes))) - 0.5
            difficulties, slopes = location[nodes] + wide[0] * moved[0], slope[nodes] + wide[1] * moved[1]
            centre, scale = abilities.mean(), abilities.std() or 1.0
            yield Drawn((abilities - centre) / scale, (difficulties - centre) / scale, np.exp(slopes) * scale)
