"""`adversary check`: a model before it is let into a campaign."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from omegaconf.errors import MissingMandatoryValue

from beat_the_ai.campaign.models.check import TIMED, ModelCheck, check_model, check_published, keep_check
from beat_the_ai.cli.asked_models import asked_model, kept_option, max_cents_option, token_option
from beat_the_ai.cli.datasets import dataset_argument
from beat_the_ai.cli.evaluation import evaluation_of, json_option
from beat_the_ai.cli.model_options import device_option, precision_option, task_option, threads_option
from beat_the_ai.cli.targets import corpora_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.kind import Kind, Words
from beat_the_ai.rules.registry import bind

if TYPE_CHECKING:
    from beat_the_ai.campaign.settings.configuration import Settings
    from beat_the_ai.terms.round import AdversarySettings, PublishedSettings


HELD_OUT = "held_out.jsonl"


@click.command()
@click.argument("model", metavar="NAME|BACKEND:SOURCE|http://HOST:PORT#NAME")
@dataset_argument("gold", required=False)
@task_option
@click.option(
    "--at-least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="So many ordinary questions have to be too easy to beat it, or the exit status is 1.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="A campaign's folder: `launch` shows it.")
@device_option
@threads_option
@precision_option
@token_option
@max_cents_option
@kept_option
@json_option
def check(
    model: str,
    gold: Path | None,
    task: str,
    at_least: float | None,
    out: Path | None,
    device: str,
    threads: int,
    precision: str | None,
    token_variable: str | None,
    max_cents: int | None,
    kept: Path,
    as_json: bool,
) -> None:
    """Ask a model real questions with answers, before people are paid to beat it.

    NAME is a configuration of the group `adversary`, such as bert. GOLD is a dataset of the kind, such as SQuAD's;
    without it, the samples of the task. Tells the usual scores, how many ordinary questions beat the model by the
    verdict of the task, how long an answer takes, and for a NAME what was published. A score on the published file
    that is more than a point off is an error.
    """
    from beat_the_ai.adversary.protocol import LoadOptions

    kind, evaluation = bind(task), evaluation_of(task)
    corpora, published = corpora_of(kind), None
    if ":" not in model:
        section = _named(kind.name, model)
        if len(section.members) != 1:
            raise InvalidInput("MODEL", f"adversary={model} has {len(section.members)} members. Check them one by one.")
        [model], published = section.members, section.published
    gold = gold or _samples(kind)
    options = LoadOptions(device, threads, precision)
    with asked_model(model, kind, options, token_variable, max_cents, kept) as loaded:
        found, scores = check_model(loaded, kind.writing, evaluation, corpora, gold)
    if out is not None:
        keep_check(out, model, found)
    if as_json:
        told = None if published is None else published.model_dump()
        click.echo(json.dumps({**asdict(found), **found.held, "published": told}))
    else:
        lines = [*_words(model, found, kind.words), *scores.words, *_compared(found, published)]
        click.echo("\n".join(lines))
    if published is not None:
        check_published(found, published)
    if at_least is not None and found.held_percent < at_least:
        raise Refused(
            f"{found.held_percent:.1f}% of ordinary {kind.words.works} do not beat it, and --at-least {at_least:g} was "
            "asked for."
        )


def _words(spec: str, found: ModelCheck, words: Words) -> Iterator[str]:
    yield f"{spec}: {found.model.precision}, SHA-256 {found.model.hash}"
    yield f"ordinary {words.works} of {found.gold} that beat it: {found.free_wins}"
    timed = f"the slowest of the first {TIMED} {1000 * found.slowest_seconds:.0f} ms"
    if found.strays is not None:
        what, number = found.strays
        yield f"of its answers {number:,} are {what}"
    if found.unanswered:
        late = "got no answer that can be read, or none in time"
        yield f"{found.unanswered:,} {late}: wrong in the scores, and left out of who beat it"
    yield f"an answer takes {1000 * found.median_seconds:.0f} ms (median), {timed}"


def _compared(found: ModelCheck, published: PublishedSettings | None) -> Iterator[str]:
    if published is not None:
        figures = ", ".join(f"{name} {value:g}" for name, value in published.scores.items())
        file = "this very file" if found.gold_sha256 == published.gold_sha256 else "which need not be like this file"
        yield f"published on {published.gold}, {file}: {figures} ({published.source})"


def _samples(kind: Kind) -> Path:
    """Return the project's file to measure a model on: the task's own questions, or else its contexts."""
    task = _sample_task(kind.name)
    held_out = task.task_dir / HELD_OUT
    return held_out if held_out.is_file() else task.contexts


def _named(kind: str, name: str) -> AdversarySettings:
    """The configuration of that name. Raises `InvalidInput`."""
    try:
        return _sample_task(kind, f"adversary={name}").adversary
    except InvalidInput as error:
        if not isinstance(error.__cause__, MissingMandatoryValue):
            raise
        raise InvalidInput("MODEL", f"adversary={name} leaves open which model. Write BACKEND:SOURCE.") from error


def _sample_task(kind: str, *overrides: str) -> Settings:
    """The task of that kind that comes with the project."""
    from beat_the_ai.campaign.settings.configuration import read_settings, suite_root

    folder = suite_root(Path()) / "tasks" / kind
    if not folder.is_dir():
        raise InvalidInput(
            "MODEL", f"No task of the kind {kind} comes with the project. Write BACKEND:SOURCE, and name a GOLD file."
        )
    return read_settings(folder, list(overrides), out=Path("nowhere"))
