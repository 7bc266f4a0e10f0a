"""`export` and `score`: datasets out of campaigns, and predictions against them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from beat_the_ai.cli.stores import campaign_store
from beat_the_ai.cli.validated import divisions_of, kind_of, validation_for
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.format import COMMON, check_formats, formats_of
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules import squad
from beat_the_ai.workforce.screening import SCREENING_OF


@click.command()
@click.argument("campaign", metavar="CAMPAIGN")
@click.option(
    "--format",
    "formats",
    multiple=True,
    help=f"One of {', '.join(COMMON)}, or of the task's own, such as squad; more than one is allowed. Else all.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def export(campaign: str, formats: tuple[str, ...], out: Path) -> None:
    """Export CAMPAIGN (its folder, SQLite file or database URL) to --out, or each of several to a folder in it."""
    with campaign_store(campaign) as store:
        every = [store.campaigns.get(campaign_id) for campaign_id in store.campaigns.ids()]
        # What newcomers wrote is no part of a dataset.
        written = [one for one in every if SCREENING_OF not in one.config]
        kinds = {one.id: kind_of(store, one) for one in written}
        check_formats(formats, kinds.values())
        for one in written:
            folder = out if len(written) == 1 else out / one.id
            kind, validation = kinds[one.id], validation_for(store, one)
            chosen = [name for name in formats or formats_of(kind) if name in formats_of(kind)]
            for path in export_campaign(store, one, folder, kind, chosen, divisions_of(store, one), validation):
                click.echo(path)


@click.command()
@click.option("--task", required=True, help="The kind of task: reading_comprehension.")
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("predictions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def score(task: str, gold: Path, predictions: Path, as_json: bool) -> None:
    """Exact match and F1, in percent, of PREDICTIONS ({question id: text}) against GOLD, as SQuAD v1.1 evaluates."""
    if task not in SCORED_TASKS:
        raise UnknownName("task", task, SCORED_TASKS)
    questions = [question for passage in squad.load(gold) for question in passage.questions]
    scores = squad.evaluate(questions, _read_predictions(predictions))
    if as_json:
        click.echo(json.dumps(asdict(scores)))
        return
    click.echo(f"exact match {scores.exact_match:.2f}%, F1 {scores.f1:.2f}% over {scores.questions:,} questions")
    if scores.missing:
        click.echo(f"{scores.missing:,} questions have no prediction and count as wrong.")


SCORED_TASKS = ("reading_comprehension",)


def _read_predictions(path: Path) -> dict[str, str]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, absurdly long or nested
        raise InvalidInput("PREDICTIONS", f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict) or not all(isinstance(text, str) for text in content.values()):
        raise InvalidInput("PREDICTIONS", f"{path} must be one object {{question id: text}}.")
    return content
