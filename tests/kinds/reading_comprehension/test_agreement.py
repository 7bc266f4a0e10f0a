"""Krippendorff's alpha against published values and its own definition."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.agreement import span_alpha, span_distance
from beat_the_ai.rules.adjudication import Label
from beat_the_ai.statistics.agreement import krippendorff_alpha
from beat_the_ai.statistics.figure import Estimate

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units.
OBSERVERS = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
UNITS = [[int(value) for value in unit if value != "."] for unit in zip(*map(str.split, OBSERVERS), strict=True)]


def value(of: Estimate | None) -> float | None:
    return None if of is None else of.value


def interval(one: Hashable, other: Hashable) -> float:
    return float((int(str(one)) - int(str(other))) ** 2)


def test_the_published_example() -> None:
    assert value(krippendorff_alpha(UNITS)) == pytest.approx(0.743, abs=5e-4)
    assert value(krippendorff_alpha(UNITS, interval)) == pytest.approx(0.849, abs=5e-4)


def test_binary_data_of_two_observers() -> None:
    """Krippendorff 2011, example A."""
    one, other = "0100000000", "1110010001"  # as in the paper: alpha 0.095
    units = list(zip(one, other, strict=True))
    assert value(krippendorff_alpha(units)) == pytest.approx(0.095, abs=5e-4)


def test_perfect_agreement_is_one_and_without_variation_chance_says_nothing() -> None:
    assert value(krippendorff_alpha([["a", "a"], ["b", "b"]])) == 1.0
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a"], []]) is None
    assert span_alpha([]) is None


LABELS = st.none() | st.sampled_from(
    ["the mill", "mill", "old mill", "old old mill", "mill old", "Oxbow", "The", "1807"]
)


@given(st.lists(st.lists(LABELS, max_size=4), max_size=8))
def test_alpha_of_spans_is_alpha_at_their_distance(units: list[list[Label]]) -> None:
    """What is summed up without looking at pairs is what comparing all pairs gives."""
    bags = [
        [None if label is None else tuple(sorted(squad.normalise(label).split())) for label in unit] for unit in units
    ]
    slow, quick = krippendorff_alpha(bags, span_distance), span_alpha(units)
    assert value(quick) == (None if slow is None else pytest.approx(slow.value))
    assert (quick and quick.interval) == (
        None if slow is None or slow.interval is None else pytest.approx(slow.interval)
    )


@given(LABELS, LABELS)
def test_the_distance_of_spans_is_what_f1_leaves(one: Label, other: Label) -> None:
    bags = [None if label is None else tuple(sorted(squad.normalise(label).split())) for label in (one, other)]
    same = bags[0] == bags[1]
    left = 1.0 if one is None or other is None else 1 - squad.f1(one, other)
    assert span_distance(*bags) == pytest.approx(0.0 if same else left)


@given(st.lists(st.lists(LABELS, min_size=2, max_size=4), min_size=1, max_size=8))
def test_alpha_follows_its_definition(units: list[list[Label]]) -> None:
    values = [value for unit in units for value in unit]
    pairs = list(combinations(values, 2))
    expected = sum(one != other for one, other in pairs) / len(pairs)
    observed = sum(
        sum(one != other for one, other in combinations(unit, 2)) * 2 / (len(unit) - 1) for unit in units
    ) / len(values)
    alpha = value(krippendorff_alpha(units))
    assert alpha is None if expected == 0 else alpha == pytest.approx(1 - observed / expected)
