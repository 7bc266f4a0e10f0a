"""`adversary predict`, `evaluate` and `score`: models and predictions against gold answers, by kinds of task."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from beat_the_ai.adversary.answers import answers_of
from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.cli.asked_models import asked_model, kept_option, max_cents_option, token_option
from beat_the_ai.cli.datasets import dataset_argument, dataset_option
from beat_the_ai.cli.export_tables import ExportTables, export_options
from beat_the_ai.cli.model_options import device_option, model_option, precision_option, task_option, threads_option
from beat_the_ai.cli.score_tables import show_comparison, show_scores, write_items
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import read_answers
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.rules.evaluation import Evaluation, Measured
from beat_the_ai.rules.registry import bind

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

out_option = click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Gets a JSON line for each item, with its scores."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")


@click.command()
@dataset_option("--input", "source", help="What is asked: a file of the kind, such as SQuAD's, or a folder of parts.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Gets {id: answer}.")
@task_option
@model_option
@device_option
@threads_option
@precision_option
@token_option
@max_cents_option
@kept_option
def predict(
    source: Path,
    output: Path,
    task: str,
    model: str,
    device: str,
    threads: int,
    precision: str | None,
    token_variable: str | None,
    max_cents: int | None,
    kept: Path,
) -> None:
    """Have a model answer everything in a dataset."""
    from beat_the_ai.adversary.protocol import LoadOptions

    evaluation = evaluation_of(task)
    options = LoadOptions(device, threads, precision)
    with asked_model(model, bind(task), options, token_variable, max_cents, kept) as loaded:
        answers = answers_of(loaded, evaluation, source)
    with replacing(output) as file:
        file.write(json.dumps(answers, ensure_ascii=False).encode())
    Console(stderr=True).print(f"{len(answers):,} answers of {loaded.identity.name} in {output}", soft_wrap=True)


@click.command()
@click.argument("model", metavar="BACKEND:SOURCE")
@dataset_argument("gold")
@task_option
@json_option
@device_option
@threads_option
@precision_option
@token_option
@max_cents_option
@kept_option
@out_option
@export_options
def evaluate(
    model: str,
    gold: Path,
    task: str,
    as_json: bool,
    device: str,
    threads: int,
    precision: str | None,
    token_variable: str | None,
    max_cents: int | None,
    kept: Path,
    out: Path | None,
    export: ExportTables,
) -> None:
    """Score a model on GOLD, a dataset with answers: for reading comprehension by exact match and F1.

    GOLD is a file in any format of `export` or of the Hugging Face hub, or a folder, all of whose parts count.
    """
    from beat_the_ai.adversary.protocol import LoadOptions

    evaluation = evaluation_of(task)
    _check_out(out, gold, *export.paths)
    options = LoadOptions(device, threads, precision)
    with asked_model(model, bind(task), options, token_variable, max_cents, kept) as loaded:
        answers = answers_of(loaded, evaluation, gold)
    measured = export.measured(evaluation, gold, answers)
    if out is not None:
        write_items(out, [model], [measured])
    show_scores(Breakdown(measured), as_json, model=asdict(loaded.identity))


@click.command()
@task_option
@dataset_argument("gold")
@click.argument("predictions", type=FILE, nargs=-1, required=True)
@json_option
@out_option
@export_options
def score(
    task: str, gold: Path, predictions: tuple[Path, ...], as_json: bool, out: Path | None, export: ExportTables
) -> None:
    """Score PREDICTIONS, {id: answer} in JSON or rows with an id and a prediction, against GOLD as `evaluate` does.

    Several files of predictions are compared with the first one.
    """
    evaluation = evaluation_of(task)
    _check_out(out, gold, *predictions, *export.paths)
    sides = [_measured(evaluation, gold, path, export) for path in predictions]
    if out is not None:
        write_items(out, list(map(str, predictions)), sides)
    if len(sides) == 1:
        show_scores(Breakdown(sides[0]), as_json)
    else:
        show_comparison([str(path) for path in predictions], sides, as_json)


def _check_out(out: Path | None, *read: Path) -> None:
    if out is not None and out.resolve() in (path.resolve() for path in read):
        raise InvalidInput("--out", f"{out} is read as well. Name another file.")


def _measured(evaluation: Evaluation, gold: Path, predictions: Path, export: ExportTables) -> Measured:
    """Raises `InvalidInput` that names the file which is wrong."""
    answers = read_answers(predictions, "PREDICTIONS")
    try:
        measured = export.measured(evaluation, gold, answers)
    except InvalidInput as error:
        where = f"{predictions}: " if error.field == "PREDICTIONS" else ""
        raise InvalidInput(error.field, f"{where}{error}") from None
    if not answers:
        raise InvalidInput("PREDICTIONS", f"{predictions} holds no predictions; {{id: answer}} is needed.")
    return measured


def evaluation_of(task: str) -> Evaluation:
    evaluation = bind(task).evaluation
    if evaluation is None:
        raise InvalidInput("--task", f"{task} does not say how models are measured.")
    return evaluation
