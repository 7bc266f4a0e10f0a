"""`stats`: the papers' numbers for any dataset."""

from __future__ import annotations

import json
from pathlib import Path

import click

from beat_the_ai.cli.datasets import dataset_argument
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.sections import print_sections
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.registry import bind


@click.command()
@dataset_argument("dataset")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@task_option
def stats(dataset: Path, as_json: bool, task: str) -> None:
    """The statistics that papers print of DATASET: a file in any format of `export`, or a folder with such parts.

    In all, and for groups as far as the files tell: part, round, genre, model in the loop. Of reading comprehension
    only the first answer to a question counts.
    """
    corpora = bind(task).corpora
    if corpora is None:
        raise InvalidInput("--task", f"{task} says nothing of datasets in files.")
    found = corpora.statistics(dataset)
    for note in found.notes:
        click.echo(note, err=True)
    if as_json:
        click.echo(json.dumps(found.figures))
        return
    print_sections(found.sections)
