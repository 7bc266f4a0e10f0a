"""`stats`: the papers' numbers for any dataset."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.terminal import shown
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.registry import bind
from beat_the_ai.statistics.section import Section


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@task_option
def stats(file: Path, as_json: bool, task: str) -> None:
    """The statistics that papers print of a dataset, for FILE: of reading comprehension, SQuAD v1.1 JSON or JSON Lines.

    A line has context, question and answers {text: [], answer_start: []}. Only the first answer counts.
    """
    corpora = bind(task).corpora
    if corpora is None:
        raise InvalidInput("--task", f"{task} says nothing of datasets in files.")
    found = corpora.statistics(file)
    if as_json:
        click.echo(json.dumps(found.figures))
        return
    for section in found.sections:
        Console().print(_table(section))


def _table(section: Section) -> Table:
    table = Table(*section.table.header, title=section.title)
    for row in section.table.rows:
        table.add_row(*map(shown, row))
    return table
