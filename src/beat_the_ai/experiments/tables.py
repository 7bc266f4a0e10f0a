"""The paper's tables out of results: mean and standard deviation over seeds, and which differences are no chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, stdev

from beat_the_ai.analysis.cells import p_cell
from beat_the_ai.analysis.drawings import Bar, bars
from beat_the_ai.experiments.matrix import ADDED, ALL, BLIND, CONSISTENCY, EQUAL, MIXES, STRESS, Matrix, TableName
from beat_the_ai.experiments.plan import Column, Line, Measurement, Plan, Table
from beat_the_ai.experiments.results import Results
from beat_the_ai.statistics import section
from beat_the_ai.statistics.figure import decimals, with_interval
from beat_the_ai.statistics.multi_bootstrap import Difference, Runs, multi_bootstrap
from beat_the_ai.statistics.section import Section
from beat_the_ai.statistics.significance import holm

TITLES: dict[TableName, str] = {
    CONSISTENCY: "Table 5: consistency of the model in the loop",
    EQUAL: "Table 6: training sets of equal size",
    ADDED: "Table 7: the base, and each other dataset with it",
    ALL: "Table 8: all datasets together",
    MIXES: "Training mixes",
    BLIND: "Trained on hypotheses alone",
    STRESS: "Stress tests",
}
TEXTS: dict[TableName, str] = {
    CONSISTENCY: "The model against which a dataset was written, and models trained as it was, under other seeds, on "
    "what was written against it. What the retrained ones reach can be had by retraining alone.",
    EQUAL: "Models trained on each dataset alone; the number of examples stands behind its name.",
    ADDED: "Models trained on the base alone, and on it together with each of the other datasets.",
    ALL: "Models trained on all datasets.",
    MIXES: "Models trained on each mix of datasets.",
    BLIND: "Models trained on whole pairs, and on hypotheses alone: what these reach is no sign of inference.",
    STRESS: "The models of the training mixes on tests that are built to show weaknesses. The paper tunes on the "
    "development set of each test; here {tuned} decide when to stop.",
}
SOURCES: dict[TableName, str] = {
    **{CONSISTENCY: "§4.1", EQUAL: "§4.2, §4.3", ADDED: "§4.2", ALL: "§4.2"},
    **{MIXES: "Results", BLIND: "Hypothesis-only results", STRESS: "Performance on challenge datasets"},
}
MEANS = "Means in % ± standard deviations over seeds"
BEST = "; † is the best of its model"
TEST = (
    "Differences of means in percentage points, with 95% intervals of the multi-bootstrap (Sellam et al. 2022), which "
    "draws seeds anew, and contexts such as passages with all their examples; p is two-sided, and adjusted for how "
    "many comparisons the table has (Holm 1979)."
)
WITH_BEST: tuple[TableName, ...] = (EQUAL, ADDED, MIXES, STRESS)
OF_BASE = "As in §4 of Bartolo et al. 2020, Beat the AI, whose D_SQuAD is here called the base: {base}."
OF_MIXES = "After the tables of results of Nie et al. 2020, Adversarial NLI: A New Benchmark for NLU."
NOTHING = "–"


def introduction(matrix: Matrix) -> str:
    """Return the papers of a matrix."""
    of_base = OF_BASE.format(base=matrix.label(matrix.base)) if matrix.base else ""
    return " ".join(filter(None, (of_base, OF_MIXES if matrix.mixes else "")))


def sections(plan: Plan, results: Results) -> list[Section]:
    """Return two sections for each table: its figures, and the differences between its lines."""
    figures = results.figures(plan)
    tuned_on = plan.matrix.tuned_on
    tuned = f"examples of {plan.matrix.label(tuned_on)}" if tuned_on else "the dev parts of the mix, or a share of it,"
    return [found for table in plan.tables for found in _sections(table, results, figures, tuned)]


def _sections(table: Table, results: Results, figures: Sequence[str], tuned: str) -> Iterator[Section]:
    if not table.measurements:
        return
    form = _consistency if table.name == CONSISTENCY else _generalisation
    text = f"{TEXTS[table.name].format(tuned=tuned)} {MEANS}{BEST if table.name in WITH_BEST else ''}."
    plot = bars(list(_bars(table, results, figures)), TITLES[table.name], largest=100.0) if figures else None
    yield Section(TITLES[table.name], text, form(table, results, figures), plot, SOURCES[table.name])
    differences = _differences(table, results)
    if differences.rows:
        yield Section(f"{TITLES[table.name].partition(':')[0]}: differences", TEST, differences)


def _consistency(table: Table, results: Results, figures: Sequence[str]) -> section.Table:
    """A line for each model and part of a dataset: there the original and the retrained models stand side by side."""
    rows = []
    for each in table.measurements:
        for column in each.columns:
            cells = [cell for line in each.lines for cell in _cells(line, column, results, figures)]
            rows.append([each.reference.model, f"{column.label} {column.part}", *cells])
    header = [f"{side} {figure}" for side in ("original", "retrained") for figure in figures]
    return section.Table(["model", "resource", *header], rows)


def _generalisation(table: Table, results: Results, figures: Sequence[str]) -> section.Table:
    """A line for each way of training, with the figures on each dataset."""
    columns = table.measurements[0].columns
    rows = []
    for each in table.measurements:
        best = _best(each, results) if table.name in WITH_BEST else {}
        for line in each.lines:
            row = [line.model, line.trained_on]
            for place, column in enumerate(each.columns):
                for figure, cell in zip(figures, _cells(line, column, results, figures), strict=True):
                    row.append(f"{cell}†" if best.get((place, figure)) is line else cell)
            rows.append(row)
    header = ["model", "trained on", *(f"{column.label} {figure}" for column in columns for figure in figures)]
    return section.Table(header, rows)


def _best(measurement: Measurement, results: Results) -> dict[tuple[int, str], Line]:
    """The line with the highest mean, by the columns' places and figures."""
    best: dict[tuple[int, str], tuple[float, Line]] = {}
    for place, column in enumerate(measurement.columns):
        for line in measurement.lines:
            for figure, runs in results.runs(line, column).items():
                mean = float(runs.mean())
                if (place, figure) not in best or mean > best[place, figure][0]:
                    best[place, figure] = (mean, line)
    return {key: line for key, (_, line) in best.items()}


def _cells(line: Line, column: Column, results: Results, figures: Sequence[str]) -> list[str]:
    runs = results.runs(line, column)
    return [_cell(runs[figure], len(line.cells)) if figure in runs else NOTHING for figure in figures]


def _cell(runs: Runs, seeds: int) -> str:
    mean, deviation = _spread(runs)
    spread = "" if deviation is None else f" ±{deviation:.1f}"
    lacking = "" if len(runs) == seeds else f" ({len(runs)} of {seeds})"
    return f"{mean:.1f}{spread}{lacking}"


def _spread(runs: Runs) -> tuple[float, float | None]:
    """Mean and sample standard deviation over seeds; None for one seed."""
    means = [float(mean) for mean in runs.mean(axis=1)]
    return fmean(means), stdev(means) if len(means) > 1 else None


def _differences(table: Table, results: Results) -> section.Table:
    """Return the difference of each line from the reference, by columns and figures."""
    found: dict[tuple[str, ...], Difference] = {}
    for each in table.measurements:
        for line in each.lines:
            for column in each.columns:
                one, other = results.runs(line, column), results.runs(each.reference, column)
                if line != each.reference and one and other:
                    against = _against(line, each.reference)
                    names = (line.model, line.trained_on, against, f"{column.label} {column.part}")
                    contexts = results.contexts(column)
                    found |= {(*names, figure): multi_bootstrap(one[figure], other[figure], contexts) for figure in one}
    adjusted = holm({names: difference.p for names, difference in found.items()})
    rows = [[*names, _words(difference), p_cell(adjusted[names])] for names, difference in found.items()]
    return section.Table(["model", "trained on", "against", "measured on", "figure", "difference", "p"], rows)


def _against(line: Line, reference: Line) -> str:
    named = line.model == reference.model
    return reference.trained_on if named else f"{reference.model}, {reference.trained_on}"


def _words(difference: Difference) -> str:
    return with_interval(difference.value, (difference.low, difference.high), decimals(1, plus=True))


def _bars(table: Table, results: Results, figures: Sequence[str]) -> Iterator[Bar]:
    """Yield the bars of the last figure, with a standard deviation to each side."""
    several_models = len({line.model for each in table.measurements for line in each.lines}) > 1
    for each in table.measurements:
        for line in each.lines:
            for column in each.columns:
                model = f"{line.model}: " if several_models else ""
                part = f" {column.part}" if table.name == CONSISTENCY else ""
                runs = results.runs(line, column).get(figures[-1])
                if runs is not None:
                    yield _bar(f"{model}{line.trained_on} → {column.label}{part}", runs)


def _bar(label: str, runs: Runs) -> Bar:
    mean, deviation = _spread(runs)
    reach = deviation or 0.0
    return Bar(label, mean, max(0.0, mean - reach), min(100.0, mean + reach), f"{mean:.1f}")


def markdown(title: str, introduction: str, found: Sequence[Section]) -> str:
    """All sections, with their tables."""
    parts = [f"# {title}", introduction]
    for each in found:
        rows = [each.table.header, ["---"] * len(each.table.header), *each.table.rows]
        table = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
        parts.append(f"## {each.title}\n\n{each.text}\n\n{table}")
    return "\n\n".join(parts) + "\n"
