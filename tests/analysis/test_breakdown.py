"""Figures of items with their intervals, in all and by group."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from beat_the_ai.analysis.breakdown import MOST_GROUPS, Breakdown
from beat_the_ai.rules.evaluation import Measure, Measured, MeasuredItem
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.jackknife import Scale
from beat_the_ai.statistics.ratios import ratio

RIGHT = Measure("right", "right", "R", is_right=True)
SHARE = Measure("share", "share", "S")
LENGTH = Measure("length", "words", unit="", by_group=False)


def item(number: int, context: object, right: float, share: float | None = None, **groups: str) -> MeasuredItem:
    marks = {"right": right, "length": float(number)} | ({} if share is None else {"share": share})
    return MeasuredItem(str(number), str(context), "gold", "answer", marks, groups)


def broken_down(items: Sequence[MeasuredItem], *measures: Measure) -> Breakdown:
    return Breakdown(Measured(items, measures or (RIGHT,), "questions", "passages", 0, 0, ["A note."], {"left_out": 3}))


def test_shares_of_items_that_share_no_context_have_wilsons_interval() -> None:
    found = broken_down([item(number, number, number < 7) for number in range(10)])
    low, high = wilson(7, 10)
    assert found.figures == {
        "right": 70,
        "right_low": 100 * low,
        "right_high": 100 * high,
        "questions": 10,
        "passages": 10,
        "missing": 0,
        "foreign": 0,
        "left_out": 3,
    }
    assert found.intervals == "95% intervals: Wilson's for shares."
    assert found.words[-1] == "A note."


def test_where_items_share_contexts_the_jackknife_is_of_these() -> None:
    rng = random.Random(1)
    items = [item(number, number % 9, rng.random() < (number % 9) / 9) for number in range(60)]
    by_context = [
        (sum(each.marks["right"] for each in items if each.context == str(name)), len(range(name, 60, 9)))
        for name in range(9)
    ]
    expected, found = ratio(by_context, Scale.SHARE), broken_down(items)
    assert expected is not None
    assert expected.interval is not None
    assert found.figures["right"] == 100 * expected.value
    assert (found.figures["right_low"], found.figures["right_high"]) == pytest.approx(
        tuple(100 * end for end in expected.interval)
    )
    assert found.intervals == "95% intervals: jackknife of 9 passages."


def test_a_figure_that_is_the_same_in_all_contexts_has_wilsons_interval_over_them() -> None:
    """Every answer is right: that says more of twenty passages than of five."""
    found = broken_down([item(number, number % 5, 1.0, 1.0) for number in range(20)], RIGHT, SHARE)
    ends = tuple(100 * end for end in wilson(5, 5, 2.776445))
    assert found.total.figures["right"].interval == found.total.figures["share"].interval == pytest.approx(ends)
    half = broken_down([item(number, number % 5, number < 10, 0.5) for number in range(20)], RIGHT, SHARE)
    ends = tuple(100 * end for end in wilson(2.5, 5, 2.776445))
    assert half.total.figures["right"].interval == half.total.figures["share"].interval == pytest.approx(ends)


def test_one_context_has_no_interval_and_two_have_a_wide_one() -> None:
    found = broken_down([item(number, "alone", number % 2) for number in range(12)])
    assert "right_low" not in found.figures
    assert found.intervals == "No intervals: 2 passages are the fewest for one."
    two = broken_down([item(number, number % 2, number % 3 == 0) for number in range(11)]).figures
    assert two["right_low"] < 20 < 75 < two["right_high"]
    assert "right_low" in broken_down([item(number, number, number % 2) for number in range(4)]).figures


def test_a_group_is_as_a_file_with_its_items_alone() -> None:
    rng = random.Random(2)
    items = [
        item(n, n // 3, rng.random() < 0.6, rng.random(), genre="news" if n % 9 < 4 else "fiction") for n in range(90)
    ]
    found = broken_down(items, RIGHT, SHARE, LENGTH)
    assert [(group.by, group.name) for group in found.groups] == [("genre", "fiction"), ("genre", "news")]
    for group in found.groups:
        alone = broken_down([each for each in items if each.groups["genre"] == group.name], RIGHT, SHARE).total
        assert (group.items, group.contexts, group.figures) == (alone.items, alone.contexts, alone.figures)
    assert "length" in found.total.figures
    row = found.as_json["groups"]
    assert isinstance(row, list)
    assert set(row[0]) >= {"by", "name", "questions", "passages", "right", "right_low", "right_high", "share"}


def test_a_column_in_which_all_items_are_alike_makes_no_groups() -> None:
    items = [item(0, 0, 1.0, model="bert"), *(item(n, n, 1.0, model="bert", genre="news") for n in range(1, 4))]
    assert [(group.by, group.name, group.items) for group in broken_down(items).groups] == [("genre", "news", 3)]


def test_of_many_groups_the_largest_are_kept() -> None:
    items = [item(n, n, 1.0, writer=f"{n % (MOST_GROUPS + 9):03}") for n in range(2 * MOST_GROUPS)]
    names = [group.name for group in broken_down(items).groups]
    assert len(names) == MOST_GROUPS
    assert names == sorted(names)
    assert "000" in names


def test_a_mean_is_over_the_items_that_have_it() -> None:
    items = [item(1, 1, 1.0, 0.25), item(2, 2, 1.0), item(3, 3, 0.0, 0.75), item(4, 4, 0.0)]
    found = broken_down(items, SHARE, LENGTH)
    assert (found.figures["share"], found.figures["length"]) == (50, 2.5)
    assert "share" not in broken_down([item(1, 1, 1.0), item(2, 2, 1.0)], RIGHT, SHARE).figures
