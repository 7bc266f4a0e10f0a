"""Models' answers to the same items, compared: against scipy, and against other ways to count."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from beat_the_ai.analysis.breakdown import clustered
from beat_the_ai.analysis.comparison import MCNEMAR, PERMUTATION, compared
from beat_the_ai.rules.evaluation import Measure, Measured, MeasuredItem
from beat_the_ai.statistics.jackknife import Matrix
from beat_the_ai.statistics.significance import holm

RIGHT, SHARE = Measure("right", "right", "R", is_right=True), Measure("share", "share", "S")
ASIDE = Measure("aside", "aside", compared=False)


def agreement(sums: Matrix) -> Matrix:
    agreed: Matrix = sums[:, 0] / sums[:, 1]
    return agreed


AGREEMENT = Measure("agreement", "agreement", parts=lambda item: (item.marks["right"], 1.0), of=agreement)


def side(marks: Sequence[float], contexts: int, *measures: Measure, seed: int = 0) -> Measured:
    rng = random.Random(seed)
    items = [
        MeasuredItem(str(n), str(n % contexts), "", "", {"right": mark, "share": (mark + rng.random()) / 2, "aside": 1})
        for n, mark in enumerate(marks)
    ]
    return Measured(items, measures or (RIGHT, SHARE, ASIDE), "questions", "passages", 0, 0)


def marks(share: float, seed: int, number: int = 120) -> list[float]:
    rng = random.Random(seed)
    return [float(rng.random() < share) for _ in range(number)]


def test_right_and_wrong_are_compared_by_mcnemars_exact_test() -> None:
    first, other = marks(0.5, 1), marks(0.65, 2)
    better, worse = (sum(a > b for a, b in pairs) for pairs in (zip(other, first), zip(first, other)))  # noqa: B905
    [found] = compared([side(first, 120, RIGHT), side(other, 120, RIGHT)])
    assert (found.better, found.worse, found.test) == (better, worse, MCNEMAR)
    assert found.p == found.mcnemar_p == pytest.approx(stats.binomtest(better, better + worse).pvalue)
    assert found.difference.value == pytest.approx(100 * (better - worse) / 120)


def test_a_difference_has_the_interval_of_a_paired_bootstrap() -> None:
    first, other = side(marks(0.5, 1), 120), side(marks(0.65, 2), 120, seed=3)
    right, share = compared([first, other])
    assert right.measure is RIGHT
    for found in (right, share):
        differences = [
            (item.marks[found.measure.name] - before.marks[found.measure.name],)
            for item, before in zip(other.items, first.items, strict=True)
        ]
        known = stats.bootstrap(
            tuple(zip(*differences, strict=True)), np.mean, method="percentile", n_resamples=4000, rng=1
        ).confidence_interval
        assert found.difference.interval == pytest.approx((100 * known.low, 100 * known.high), abs=0.8)


def test_contexts_are_drawn_and_exchanged_as_a_whole() -> None:
    """Twelve passages, in each of which one side has all questions right: no more than twelve observations."""
    better = [float(n % 12 < 8) for n in range(120)]
    first = side([1.0 - mark for mark in better], 12, RIGHT)
    [found] = compared([first, side(better, 12, RIGHT)])
    assert found.test == PERMUTATION
    assert found.p == pytest.approx(stats.binomtest(8, 12).pvalue, abs=0.02)
    assert found.mcnemar_p is not None
    assert found.mcnemar_p < 1e-3
    assert found.difference.interval is not None
    assert found.difference.interval[0] < 0


def test_a_shared_context_makes_the_permutation_test_that_of_scipy() -> None:
    first, other = side(marks(0.5, 1), 15), side(marks(0.6, 2), 15, seed=9)
    _, share = compared([first, other])
    sums = [clustered(each.items, SHARE)[:, 0] for each in (other, first)]
    known = stats.permutation_test(
        sums, lambda a, b: np.sum(a - b), permutation_type="samples", n_resamples=9999, rng=2
    ).pvalue
    assert share.p == pytest.approx(known, abs=0.02)


def test_all_comparisons_of_a_call_are_adjusted_together() -> None:
    sides = [side(marks(share, seed), 120) for seed, share in enumerate((0.5, 0.6, 0.75))]
    found = compared(sides)
    assert [(each.number, each.measure.name) for each in found] == [
        (number, name) for number in (1, 2) for name in ("right", "share")
    ]
    adjusted = holm(dict(enumerate(each.p for each in found)))
    assert [each.adjusted for each in found] == [adjusted[place] for place in range(4)]
    assert min(each.adjusted for each in found) == 4 * min(each.p for each in found)


def test_a_figure_that_is_no_mean_of_marks_is_compared_too() -> None:
    first, other = (side(marks(share, seed), 15, RIGHT, AGREEMENT) for seed, share in enumerate((0.4, 0.7)))
    right, agreed = compared([first, other])
    assert agreed.difference == right.difference
    assert (agreed.p, agreed.test, agreed.mcnemar_p) == (right.p, PERMUTATION, None)
    assert (agreed.better, agreed.worse) == (0, 0)


def test_sides_that_answer_alike_do_not_differ() -> None:
    right, share = compared([side(marks(0.5, 1), 15), side(marks(0.5, 1), 15)])
    assert (right.p, share.p, right.adjusted) == (1.0, 1.0, 1.0)
    assert right.difference.interval == (0.0, 0.0)


def test_a_figure_that_a_side_lacks_is_not_compared() -> None:
    half = Measure("half", "half")
    first, other = (side(marks(0.5, seed), 15, RIGHT, half) for seed in (1, 2))
    assert [found.measure.name for found in compared([first, other])] == ["right"]
    some = [replace(item, marks={**item.marks, "half": float(n % 2)}) for n, item in enumerate(first.items)]
    with_half = replace(first, items=[*some[:60], *first.items[60:]])
    found = compared([with_half, replace(with_half, items=[*some[:30], *first.items[30:]])])[1]
    assert (found.measure.name, found.difference.value, found.better, found.worse) == ("half", 0, 0, 0)
