"""Figures of items, such as answers to questions: of all items, and of groups of them, such as those of a genre.

Each figure has a 95% interval by a jackknife of the contexts (`statistics.jackknife`). Where items share none, shares
of right items have Wilson's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from beat_the_ai.analysis.cells import cell, too_few
from beat_the_ai.rules.evaluation import Measure, Measured, MeasuredItem
from beat_the_ai.statistics.figure import Estimate, decimals, with_interval
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.jackknife import FEWEST_CLUSTERS, FigureOf, Matrix, Scale, estimated, mean_of
from beat_the_ai.statistics.section import Section, Table

PERCENT = "%"
MOST_GROUPS = 50  # by one column: the largest ones


@dataclass(frozen=True)
class Group:
    """The items whose column `by` says `name`; all items where both are empty. `figures` are by the measures' names."""

    by: str
    name: str
    items: int
    contexts: int
    figures: Mapping[str, Estimate]

    @property
    def shares_contexts(self) -> bool:
        return self.contexts < self.items


class Breakdown:
    """The figures of a file's items."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured

    @cached_property
    def total(self) -> Group:
        """Return all items, with every figure."""
        return _group("", "", self.measured.items, self.measured.measures)

    @cached_property
    def groups(self) -> Sequence[Group]:
        """Return the groups by each column of the file in which items differ, with the figures that are by group."""
        measures = [measure for measure in self.measured.measures if measure.by_group]
        return [_group(by, name, items, measures) for by, name, items in _divided(self.measured.items)]

    @property
    def figures(self) -> dict[str, float]:
        """Return the figures of all items by name, with NAME_low and NAME_high, and the counts."""
        measured = self.measured
        counts = {measured.items_called: self.total.items, measured.contexts_called: self.total.contexts}
        return {
            **figures_of(self.total),
            **counts,
            "missing": measured.missing,
            "foreign": measured.foreign,
            **measured.counts,
        }

    @property
    def group_rows(self) -> Sequence[Mapping[str, float | str]]:
        """Return the groups for programs: each with its items, contexts and figures."""
        counts = self.measured.items_called, self.measured.contexts_called
        return [
            {"by": each.by, "name": each.name, counts[0]: each.items, counts[1]: each.contexts, **figures_of(each)}
            for each in self.groups
        ]

    @property
    def as_json(self) -> dict[str, object]:
        """Return `figures`, and the groups."""
        return {**self.figures, "groups": self.group_rows}

    @property
    def section(self) -> Section:
        """Return the groups as a section, behind all items."""
        measures = [measure for measure in self.measured.measures if measure.by_group]
        rows = [
            (
                f"{group.by}: {group.name}" if group.by else "all",
                f"{group.items:,}",
                *(cell(group.figures.get(measure.name), decimals(1)) for measure in measures),
            )
            for group in (self.total, *self.groups)
        ]
        labels = [f"{measure.label}, {measure.unit}" if measure.unit else measure.label for measure in measures]
        return Section("By group", self.intervals, Table(("", self.measured.items_called, *labels), rows))

    @property
    def words(self) -> list[str]:
        """Return the figures of all items in sentences, with what belongs beside them."""
        measured, figures = self.measured, self.total.figures
        lines = [
            f"{measure.label} {_in_words(figures[measure.name], measure.unit)}"
            for measure in measured.measures
            if measure.name in figures
        ]
        return [*lines, f"{self.total.items:,} {measured.items_called}. {self.intervals}", *measured.notes]

    @property
    def intervals(self) -> str:
        """Say where the intervals of the figures of all items come from."""
        return interval_words(self.total, self.measured)


def figures_of(group: Group) -> dict[str, float]:
    """Return the figures of a group by name, with NAME_low and NAME_high where there is an interval."""
    figures: dict[str, float] = {}
    for name, estimate in group.figures.items():
        figures[name] = estimate.value
        if estimate.interval is not None:
            figures[f"{name}_low"], figures[f"{name}_high"] = estimate.interval
    return figures


def interval_words(group: Group, measured: Measured) -> str:
    """Say where the intervals of a group's figures come from."""
    if group.shares_contexts and group.contexts < FEWEST_CLUSTERS:
        return too_few(measured.contexts_called)
    jackknife = f"jackknife of {group.contexts:,} {measured.contexts_called}"
    if group.shares_contexts:
        return f"95% intervals: {jackknife}."
    ways = dict.fromkeys("Wilson's for shares" if measure.is_right else jackknife for measure in measured.measures)
    return f"95% intervals: {', '.join(ways)}."


def clustered(items: Sequence[MeasuredItem], measure: Measure) -> Matrix:
    """Return the sums of a measure over each context, in the order of the contexts."""
    contexts = {context: number for number, context in enumerate(dict.fromkeys(item.context for item in items))}
    rows = np.asarray([_parts(item, measure) for item in items], dtype=float)
    sums: Matrix = np.zeros((len(contexts), rows.shape[1]))
    np.add.at(sums, [contexts[item.context] for item in items], rows)
    return sums


def figure_of(measure: Measure) -> FigureOf:
    """Return what makes the figure of a measure from sums; a share where it is in percent."""
    return measure.of or mean_of


def in_unit(estimate: Estimate, measure: Measure) -> Estimate:
    """Return the estimate of a measure in its unit."""
    scale = 100 if measure.unit == PERCENT else 1
    ends = estimate.interval
    return Estimate(scale * estimate.value, None if ends is None else (scale * ends[0], scale * ends[1]))


def _parts(item: MeasuredItem, measure: Measure) -> Sequence[float]:
    if measure.parts is not None:
        return measure.parts(item)
    mark = item.marks.get(measure.name)
    return (0.0, 0.0) if mark is None else (mark, 1.0)


def _divided(items: Sequence[MeasuredItem]) -> Iterator[tuple[str, str, Sequence[MeasuredItem]]]:
    for by in dict.fromkeys(column for item in items for column in item.groups):
        sizes = Counter(item.groups[by] for item in items if by in item.groups)
        if len(sizes) == 1 and sizes.total() == len(items):
            continue
        for name in sorted(name for name, _ in sizes.most_common(MOST_GROUPS)):
            yield by, name, [item for item in items if item.groups.get(by) == name]


def _group(by: str, name: str, items: Sequence[MeasuredItem], measures: Sequence[Measure]) -> Group:
    contexts = len({item.context for item in items})
    if not items:
        return Group(by, name, 0, 0, {})
    figures = {}
    for measure in measures:
        estimate = _estimate(clustered(items, measure), measure, stand_alone=contexts == len(items))
        if estimate is not None:
            figures[measure.name] = in_unit(estimate, measure)
    return Group(by, name, len(items), contexts, figures)


def _estimate(clusters: Matrix, measure: Measure, *, stand_alone: bool) -> Estimate | None:
    """Return a figure with its interval: Wilson's, of shares of right items that `stand_alone`."""
    if measure.is_right and stand_alone:
        right, of = clusters.sum(axis=0)
        if of >= FEWEST_CLUSTERS:
            return Estimate(right / of, wilson(right, of))
    return estimated(clusters, Scale.SHARE if measure.unit == PERCENT else Scale.AMOUNT, figure_of(measure))


def _in_words(estimate: Estimate, unit: str) -> str:
    return with_interval(estimate.value, estimate.interval, decimals(2), unit, "95% interval ")
