"""`stats`: the papers' numbers for any dataset."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.analysis.examples import read_part
from beat_the_ai.analysis.statistics import Statistics, mean, statistics
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.intervals import wilson


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def stats(file: Path, as_json: bool) -> None:
    """The statistics that papers print of a dataset, for FILE: SQuAD v1.1 JSON, or JSON Lines.

    A line has context, question and answers {text: [], answer_start: []}. Only the first answer counts.
    """
    made = statistics(read_part(file))
    if as_json:
        click.echo(json.dumps(made.as_json()))
        return
    console = Console()
    console.print(_sizes(made))
    console.print(_questions(made))


def _sizes(made: Statistics) -> Table:
    """Tables 3 and 4 of Bartolo et al. 2020."""
    table = Table("", "", "95% interval", title="Sizes and means")
    table.add_row("passages", f"{made.passages:,}", "")
    table.add_row("questions", f"{made.questions:,}", "")
    table.add_row("words per question", *_mean_cells(made.question_words))
    table.add_row("words per answer", *_mean_cells(made.answer_words))
    table.add_row("longest n-gram overlap", *_mean_cells(made.longest_ngram_overlap))
    return table


def _mean_cells(values: Sequence[int]) -> tuple[str, str]:
    average = mean(values)
    if average is None:
        return "–", ""
    low, high = bootstrap_mean(values)
    return f"{average:.4f}", f"{low:.2f} to {high:.2f}"


def _questions(made: Statistics) -> Table:
    """Figure 6 of Bartolo et al. 2020."""
    table = Table("begins with", "questions", "share", "95% interval", title="Kinds of question")
    for word, count in made.wh_words.items():
        if not made.questions:
            table.add_row(word, "0", "–", "")
            continue
        low, high = wilson(count, made.questions)
        table.add_row(word, f"{count:,}", f"{count / made.questions:.1%}", f"{low:.1%} to {high:.1%}")
    return table
