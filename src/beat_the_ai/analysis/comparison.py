"""Several models' answers to the same items, compared with the first one's: differences with intervals, and tests.

Both sides of a pair lose the same context in the jackknife of its interval. Where items share contexts, whole contexts
are exchanged in the test. Where they do not, right and wrong are compared by McNemar's exact test. All p values of a
call are adjusted together (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from beat_the_ai.analysis.breakdown import clustered, figure_of, in_unit
from beat_the_ai.rules.evaluation import Measure, Measured
from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.jackknife import FigureOf, Matrix, Scale, estimated
from beat_the_ai.statistics.resampling import permutation_p
from beat_the_ai.statistics.significance import holm, sign_test

MCNEMAR, PERMUTATION = "McNemar's exact test", "paired permutation test"


@dataclass(frozen=True)
class Comparison:
    """One figure of the `number`-th model (from 1; the first one is 0) less that of the first one.

    On `better` items it has a higher mark, on `worse` ones a lower one; both are 0 for what is no mean of marks. `p` is
    that of `test`, `adjusted` for all comparisons. `mcnemar_p` takes items for independent; None unless marks are right
    or wrong.
    """

    number: int
    measure: Measure
    difference: Estimate
    better: int
    worse: int
    test: str
    p: float
    mcnemar_p: float | None
    adjusted: float = 1.0


def compared(sides: Sequence[Measured]) -> list[Comparison]:
    """Compare each side with the first one, by each figure that both have. All have the same items, in one order."""
    first, *others = sides
    found = [each for number, other in enumerate(others, start=1) for each in _compared(number, first, other)]
    adjusted = holm({place: each.p for place, each in enumerate(found)})
    return [replace(each, adjusted=adjusted[place]) for place, each in enumerate(found)]


def _compared(number: int, first: Measured, other: Measured) -> Iterator[Comparison]:
    for measure in first.measures:
        if not measure.compared:
            continue
        one, two = (clustered(side.items, measure) for side in (other, first))
        of = figure_of(measure)
        difference = _difference(one, two, of)
        if difference is None:  # a side has no such figure
            continue
        difference = in_unit(difference, measure)
        better, worse = _discordant(measure, other, first)
        mcnemar_p = sign_test(better, worse) if measure.is_right else None
        if mcnemar_p is not None and len(one) == len(first.items):
            yield Comparison(number, measure, difference, better, worse, MCNEMAR, mcnemar_p, mcnemar_p)
        else:
            p = permutation_p(one, two, of)
            yield Comparison(number, measure, difference, better, worse, PERMUTATION, p, mcnemar_p)


def _difference(one: Matrix, other: Matrix, of: FigureOf) -> Estimate | None:
    """Return a figure's difference between two sides, of which a row is the same context."""

    def less(sums: Matrix) -> Matrix:
        difference: Matrix = np.subtract(*map(of, np.hsplit(sums, 2)))
        return difference

    return estimated(np.hstack([one, other]), Scale.DIFFERENCE, less)


def _discordant(measure: Measure, one: Measured, other: Measured) -> tuple[int, int]:
    """Return on how many items the mark of one side is higher, and on how many it is lower."""
    if measure.parts is not None:
        return 0, 0
    pairs = [
        (item.marks[measure.name], its.marks[measure.name])
        for item, its in zip(one.items, other.items, strict=True)
        if measure.name in item.marks.keys() & its.marks.keys()
    ]
    return sum(mark > its for mark, its in pairs), sum(mark < its for mark, its in pairs)
