"""Our figures beside the published ones, with the difference and whether the published one lies in our interval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from beat_the_ai.experiments.matrix import CONSISTENCY, EQUAL, TEST, Matrix
from beat_the_ai.experiments.plan import Plan, option_words
from beat_the_ai.experiments.results import Place, Results, places
from beat_the_ai.published.figures import PublishedFigure, PublishedTable
from beat_the_ai.replication.targets import MatrixRun, Replication
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.jackknife import TIE
from beat_the_ai.statistics.multi_bootstrap import Runs, multi_bootstrap
from beat_the_ai.statistics.section import Section, Table

NOTHING = "–"
LARGE = 1000  # from which on a figure counts something, and has no decimals
SIZE = re.compile(r" \([\d,]+\)$")  # of a training set, behind its name
STARTS_FROM = "from"  # an option of `train`
Key = tuple[tuple[str, ...], str]
"""Row and column of a published table."""
READING = (
    "A difference is ours less the published figure. Our intervals are at 95%: over seeds and contexts (Sellam et al. "
    "2022) for models; by a jackknife of the people, or Wilson's, for people. Under about five seeds they are too "
    "narrow. That a published figure lies in ours proves little where the interval is wide."
)


@dataclass(frozen=True)
class Ours:
    """A figure of ours with its interval, in the published table's unit.

    `runs` is how many seeds it is over, None of a model as it is; `trained_on` and `measured_on` are numbers of
    examples.
    """

    value: float
    low: float | None = None
    high: float | None = None
    runs: int | None = None
    trained_on: int | None = None
    measured_on: int | None = None


@dataclass(frozen=True)
class Comparison:
    """A published figure and ours; `ours` is None where there is none."""

    table: str
    published: PublishedFigure
    ours: Ours | None

    @property
    def difference(self) -> float | None:
        return None if self.ours is None else self.ours.value - self.published.value

    @property
    def within(self) -> bool | None:
        """Return whether the published figure lies in our interval; None without one."""
        if self.ours is None or self.ours.low is None or self.ours.high is None:
            return None
        return self.ours.low <= self.published.value <= self.ours.high


def compared(replication: Replication, ours: Mapping[str, Mapping[Key, Ours]]) -> list[Comparison]:
    """Return every published figure of a target beside ours, which are by table."""
    return [
        Comparison(name, figure, ours.get(name, {}).get((figure.row, figure.column)))
        for name, table in replication.tables.items()
        for figure in table.figures()
    ]


def figures_of_matrix(run: MatrixRun, plan: Plan, results: Results) -> dict[str, dict[Key, Ours]]:
    """Return our figures as the paper has them, by its tables."""
    found: dict[str, dict[Key, Ours]] = {}
    for place in places(plan):
        for figure, runs in results.runs(place.line, place.column).items():
            key = _key(run, plan, place, figure)
            if key is not None:
                ours = mean_of(runs, results.contexts(place.column))
                trained_on = sum(file.examples for file in place.line.cells[0].data)
                if trained_on:
                    ours = replace(ours, runs=len(runs), trained_on=trained_on)
                for table in run.fills.get(str(place.table), (f"table-{place.table}",)):
                    found.setdefault(table, {})[key] = ours
    return found


def mean_of(runs: Runs, contexts: Sequence[str]) -> Ours:
    """Return the mean in percent of runs on examples with these contexts, with its interval over seeds and contexts.

    Where no draw differs, such as where no answer is right, it is Wilson's interval with each context as one trial.
    """
    mean, trials = float(runs.mean()), len(set(contexts))
    interval = multi_bootstrap(runs, np.zeros((1, runs.shape[1])), contexts)
    low, high = interval.low, interval.high
    if high - low < TIE:
        low, high = (100 * end for end in wilson(trials * mean / 100, trials))
    return Ours(mean, low, high, measured_on=runs.shape[1])


def _key(run: MatrixRun, plan: Plan, place: Place, figure: str) -> Key | None:
    """Return the place of a figure in the paper's table; None for a dev part."""
    if place.column.part != TEST:
        return None

    def named(label: str) -> str:
        return run.datasets.get(label, label)

    model, data = run.models.get(place.line.model, place.line.model), named(place.column.label)
    if place.table == CONSISTENCY:
        side = "original" if place.line.trained_on == "original" else "retrained"
        return (model, data, side), figure
    trained_on = " + ".join(map(named, SIZE.sub("", place.line.trained_on).split(" + ")))
    if place.table == EQUAL and trained_on == named(plan.matrix.label(plan.matrix.base)):
        trained_on = f"{trained_on}(10K)"
    return (model, trained_on), f"{data} {figure}"


def comparison_sections(replication: Replication, comparisons: Sequence[Comparison]) -> Iterator[Section]:
    """Yield a section for each published table, with the figures that ours stand beside."""
    for name, table in replication.tables.items():
        of_table = [one for one in comparisons if one.table == name]
        beside = [one for one in of_table if one.ours is not None]
        header = [
            ", ".join([*table.rows_by, "figure"]),
            "paper",
            "ours (95% interval)",
            "difference",
            "our examples and seeds",
        ]
        rows = [[_name(one.published), _spread(one.published), *_ours(one)] for one in beside]
        text = _text(table, len(beside))
        yield Section(f"{table.title}: ours beside the paper's", text, Table(header, rows), source=_place(table))


def about_sections(
    replication: Replication, matrix: Matrix | None = None, config: Path | None = None
) -> Iterator[Section]:
    """Yield what is not as in the paper, and the data with their sources and licences.

    `matrix` is the one that was run; `config` is its file where it is not the target's own.
    """
    departures = [one.split(": ", 1) for one in replication.target.differences]
    if config is not None:
        departures.insert(0, ["matrix", f"{config.name}, in place of the target's, of which the other lines speak"])
    departures += _models(replication, matrix)
    yield Section("Not as in the paper", "Each may be why figures differ.", Table(["what", "here"], departures))
    data = [
        [name, each.title, _examples(each.in_paper), each.source, each.licence]
        for name, each in replication.data.items()
        if matrix is None or name in matrix.datasets
    ]
    if matrix is not None:
        others = [name for name in matrix.datasets if name not in replication.data]
        data += [[name, "a dataset of your own matrix", *[NOTHING] * 3] for name in others]
    if data:
        header = ["dataset", "what", "examples in the paper", "from", "licence"]
        yield Section("Data", "What is not ours is not part of this project.", Table(header, data))


def _models(replication: Replication, matrix: Matrix | None) -> Iterator[list[str]]:
    """Yield the models that stand in for the paper's, with their training."""
    target = replication.target
    if target.evaluation is not None:
        yield from ([f"{name} is", model] for name, model in target.evaluation.models.items())
    if target.matrix is not None and matrix is not None:
        for name, model in matrix.models.items():
            paper, start = target.matrix.models.get(name, name), model.train.get(STARTS_FROM, "")
            before = f"; what {start} was trained on before is not counted" if start else ""
            yield [
                f"{paper} is",
                f"{name}, trained with {' '.join(option_words(model)) or 'the usual options'}{before}",
            ]


def _examples(parts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {part}" for part, number in parts.items()) or NOTHING


def _text(table: PublishedTable, beside: int) -> str:
    """Return what to know of a table, of whose figures so many have ours beside them."""
    figures = list(table.figures())
    alone = len(figures) - beside
    parts = [
        f"All in {table.unit}." if table.unit else "",
        f"Published means and standard deviations are over {table.seeds} runs." if table.seeds else "",
        "Published figures are quotients, by us, of numbers in the paper." if table.derived else "",
        f"Not here: {table.lacking}." if table.lacking else "",
        f"Published figures without ours, which are left out: {alone:,}." if alone and beside else "",
        "" if beside else f"None of ours has the names of a published one, such as {_name(figures[0])}.",
    ]
    return " ".join(filter(None, parts))


def _name(figure: PublishedFigure) -> str:
    return ", ".join([*figure.row, figure.column])


def _size(ours: Ours) -> str:
    """Return on how many examples and under how many seeds a figure of ours is, as far as they are known."""
    parts = [
        "" if ours.trained_on is None else f"{ours.trained_on:,} train",
        "" if ours.measured_on is None else f"{ours.measured_on:,} test",
        "" if ours.runs is None else f"{ours.runs:,} seed{'' if ours.runs == 1 else 's'}",
    ]
    return ", ".join(filter(None, parts)) or NOTHING


def _place(table: PublishedTable) -> str:
    return f"§{table.section}" if table.section[:1].isdigit() else table.section


def _spread(figure: PublishedFigure) -> str:
    """Return a published figure with the decimals of the paper."""
    return f"{figure.value:,}" if figure.deviation is None else f"{figure.value:.1f} ±{figure.deviation:.1f}"


def _ours(one: Comparison) -> list[str]:
    """Return our figure with its interval, its difference from the published one, and its sizes."""
    if one.ours is None or one.difference is None:
        return [NOTHING] * 3
    value, difference = _number(one.ours.value), f"{one.difference:+,.1f}".replace("-", "−")
    if one.ours.low is not None and one.ours.high is not None:
        value = f"{value} ({_number(one.ours.low)} to {_number(one.ours.high)})"
    return [value, f"{difference}, in our interval" if one.within else difference, _size(one.ours)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= LARGE else f"{value:.1f}"
