"""Tables of scores on a terminal, of 80 columns too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from pydantic import Field
from rich.console import Console
from rich.table import Table

from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.analysis.cells import cell, p_cell
from beat_the_ai.analysis.comparison import MCNEMAR, Comparison, compared
from beat_the_ai.cli.terminal import shown
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.rules.evaluation import Measure, Measured
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.text import printable
from beat_the_ai.statistics.figure import Estimate, decimals

FEW = 2  # figures that a row of 80 columns has beside each other with their intervals
MOST_CHARS = 2000  # of a note
WIDEST_NAME, WIDEST_BESIDE_MANY = 22, 12


class ComparisonRow(Value):
    """One figure of a file of predictions beside the first file, under `comparisons` of `score --json`."""

    file: str
    first: str
    figure: str
    difference: float = Field(description="in percentage points: the figure of the file less that of the first one")
    low: float | None = Field(description="the 95% interval of a paired jackknife; empty for one context")
    high: float | None
    better: int = Field(description="items with a higher mark than in the first file; 0 for what is no mean of marks")
    worse: int = Field(description="with a lower one")
    test: str = Field(description="McNemar's exact test, or the paired permutation test of whole contexts")
    p: float = Field(description="of this test, two-sided")
    p_holm: float = Field(description="adjusted for all comparisons of the call")
    p_mcnemar: float | None = Field(description="of right and wrong, as if no items shared a context; else empty")


def show_scores(scores: Breakdown, as_json: bool, **facts: Any) -> None:
    """Print figures with their intervals, and those of groups; or all of it as JSON, with further facts."""
    if as_json:
        click.echo(json.dumps({**facts, **scores.as_json}))
        return
    console = Console()
    for table in _tables(scores):
        console.print(table)
    _print_notes(console, [scores.intervals, *scores.measured.notes])


def show_comparison(files: Sequence[str], sides: Sequence[Measured], as_json: bool) -> None:
    """Print the figures of several files of predictions beside each other, with their differences from the first."""
    scores, comparisons = [Breakdown(side) for side in sides], compared(sides)
    if as_json:
        predictions = [{"file": file, **each.as_json} for file, each in zip(files, scores, strict=True)]
        rows = [_row(files, each).model_dump() for each in comparisons]
        click.echo(json.dumps({"predictions": predictions, "comparisons": rows}))
        return
    console, names = Console(), _short_names(files)
    console.print(_beside(names, scores, comparisons))
    of_contexts = f" of whole {sides[0].contexts_called}" if scores[0].total.shares_contexts else ""
    tests = " or ".join(dict.fromkeys(each.test for each in comparisons))
    notes = [scores[0].intervals, f"p: {tests}{of_contexts}, adjusted for {len(comparisons)} comparisons (Holm)."]
    notes += [
        f"{each.measure.label}, {names[each.number]}: better on {each.better:,} {sides[0].items_called}, worse on "
        f"{each.worse:,}; as if these were independent, p of McNemar's exact test is {p_cell(each.mcnemar_p)}."
        for each in comparisons
        if each.mcnemar_p is not None and each.test != MCNEMAR
    ]
    for name, side in zip(names, sides, strict=True):
        notes += [f"{name}: {note}" for note in side.notes]
    _print_notes(console, notes)


def write_items(out: Path, files: Sequence[str], sides: Sequence[Measured]) -> None:
    """Write a JSON line for each item of each side; of several sides, with its file of predictions."""
    with replacing(out) as file:
        for name, side in zip(files, sides, strict=True):
            for item in side.items:
                row = {
                    **({"predictions": name} if len(sides) > 1 else {}),
                    "id": item.id,
                    "context": item.context,
                    **{by.replace(" ", "_"): group for by, group in item.groups.items()},
                    "answer": item.answer,
                    "gold": item.gold,
                    **item.marks,
                }
                file.write(f"{json.dumps(row)}\n".encode())


def _row(files: Sequence[str], each: Comparison) -> ComparisonRow:
    low, high = each.difference.interval or (None, None)
    return ComparisonRow(
        file=files[each.number],
        first=files[0],
        figure=each.measure.name,
        difference=each.difference.value,
        low=low,
        high=high,
        better=each.better,
        worse=each.worse,
        test=each.test,
        p=each.p,
        p_holm=each.adjusted,
        p_mcnemar=each.mcnemar_p,
    )


def _beside(names: Sequence[str], scores: Sequence[Breakdown], comparisons: Sequence[Comparison]) -> Table:
    """Return a table of each figure of each file."""
    table = _table("", "% (95% interval)", f"less {shown(names[0])}", "p")
    differences = {(each.measure.name, each.number): each for each in comparisons}
    for measure in scores[0].measured.measures:
        table.add_section()
        table.add_row(f"[bold]{measure.label}[/bold]")
        for number, (name, each) in enumerate(zip(names, scores, strict=True)):
            found = differences.get((measure.name, number))
            less, p = (None, None) if found is None else (found.difference, found.adjusted)
            figure = cell(each.total.figures.get(measure.name), decimals(1))
            table.add_row(f" {shown(name)}", figure, cell(less, decimals(1, plus=True)), p_cell(p))
    return table


def _short_names(files: Sequence[str]) -> Sequence[str]:
    stems = [Path(file).stem for file in files]
    return stems if len(set(stems)) == len(stems) else files


def _print_notes(console: Console, notes: Sequence[str]) -> None:
    console.print(
        "\n".join(filter(None, (printable(note, max_chars=MOST_CHARS) for note in notes))),
        soft_wrap=True,
        markup=False,
        highlight=False,
    )


def _tables(scores: Breakdown) -> Iterator[Table]:
    measured, figures = scores.measured, scores.total.figures
    total = _table("", f"all {scores.total.items:,} {measured.items_called}, % (95% interval)")
    for measure in measured.measures:
        if measure.name in figures:
            total.add_row(measure.label, cell(figures[measure.name], decimals(2)))
    yield total
    if scores.groups:
        yield _groups(scores, [measure for measure in measured.measures if measure.by_group])


def _groups(scores: Breakdown, measures: Sequence[Measure]) -> Table:
    table = _table("groups", scores.measured.items_called, *(measure.label for measure in measures))
    widest = WIDEST_NAME if len(measures) <= FEW else WIDEST_BESIDE_MANY
    table.columns[0].min_width = min(widest, 1 + max(len(shown(group.name)) for group in scores.groups))
    for by, groups in groupby(scores.groups, key=lambda group: group.by):
        table.add_section()
        table.add_row(f"[bold]{shown(by)}[/bold]")
        for group in groups:
            figures = [group.figures.get(measure.name) for measure in measures]
            cells = [cell(figure, decimals(1)) if len(measures) <= FEW else _short(figure) for figure in figures]
            table.add_row(f" {shown(group.name)}", f"{group.items:,}", *cells)
    return table


def _short(figure: Estimate | None) -> str:
    """Return a figure in whole numbers: 70 (40–89)."""
    return cell(figure, decimals(0)).replace(" to ", "–")


def _table(*names: str) -> Table:
    table = Table()
    for name in names:
        table.add_column(name, overflow="fold")
    return table
