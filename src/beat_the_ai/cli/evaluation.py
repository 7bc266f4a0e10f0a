"""`adversary predict`, `evaluate` and `score`: models and predictions against gold answers, by kinds of task."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.adversary.answers import answers_of
from beat_the_ai.cli.asked_models import asked_model, kept_option, max_cents_option, token_option
from beat_the_ai.cli.model_options import device_option, model_option, precision_option, task_option, threads_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import read_answers
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.rules.evaluation import Evaluation, Scores
from beat_the_ai.rules.registry import bind

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")


@click.command()
@click.option("--input", "source", type=FILE, required=True, help="What is asked: a file of the kind, such as SQuAD's.")
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
    """Have a model answer everything in a file."""
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
@click.argument("gold", type=FILE)
@task_option
@json_option
@device_option
@threads_option
@precision_option
@token_option
@max_cents_option
@kept_option
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
) -> None:
    """Score a model on GOLD, a file with answers: for reading comprehension exact match and F1 on SQuAD v1.1 JSON."""
    from beat_the_ai.adversary.protocol import LoadOptions

    evaluation = evaluation_of(task)
    options = LoadOptions(device, threads, precision)
    with asked_model(model, bind(task), options, token_variable, max_cents, kept) as loaded:
        answers = answers_of(loaded, evaluation, gold)
    _print(evaluation.scores(gold, answers), as_json, model=asdict(loaded.identity))


@click.command()
@task_option
@click.argument("gold", type=FILE)
@click.argument("predictions", type=FILE)
@json_option
def score(task: str, gold: Path, predictions: Path, as_json: bool) -> None:
    """Score PREDICTIONS, {id: answer} in JSON or rows with an id and a prediction, against GOLD as `evaluate` does."""
    evaluation, answers = evaluation_of(task), read_answers(predictions, "PREDICTIONS")
    try:
        scores = evaluation.scores(gold, answers)
    except InvalidInput as error:
        where = f"{predictions}: " if error.field == "PREDICTIONS" else ""
        raise InvalidInput(error.field, f"{where}{error}") from None
    if not answers:
        raise InvalidInput("PREDICTIONS", f"{predictions} holds no predictions; {{id: answer}} is needed.")
    _print(scores, as_json)


def evaluation_of(task: str) -> Evaluation:
    evaluation = bind(task).evaluation
    if evaluation is None:
        raise InvalidInput("--task", f"{task} does not say how models are measured.")
    return evaluation


def _print(scores: Scores, as_json: bool, **facts: Any) -> None:
    click.echo(json.dumps({**facts, **scores.figures}) if as_json else "\n".join(scores.words))
