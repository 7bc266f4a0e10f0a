"""`artefacts`: whatever tells the answers of a dataset to a model that does not understand them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from beat_the_ai.analysis.artefacts.sections import artefact_sections
from beat_the_ai.analysis.artefacts.study import study
from beat_the_ai.campaign.results.artefacts import artefacts_of, keep, works_of_campaign
from beat_the_ai.campaign.results.report import Subject
from beat_the_ai.cli.datasets import works_of
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.sections import page_option, show_subject
from beat_the_ai.cli.targets import (
    campaign_folder,
    campaign_outcomes,
    corpora_of,
    existing,
    is_campaign,
    name_option,
    target_argument,
)
from beat_the_ai.dataset.card import simulated_warning
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind

TITLE = "What gives its answers away?"


@click.command("artefacts")
@target_argument
@click.option(
    "--beside",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Another dataset of the same kind, such as SNLI or SQuAD, cut to the same size; several are allowed.",
)
@page_option
@name_option
@task_option
@json_option
@search_paused()
def artefacts(
    target: str, beside: tuple[Path, ...], out: Path | None, name: str | None, task: str, as_json: bool
) -> None:
    """Look for what gives answers away in the dataset of a CAMPAIGN, or in a DATASET of files.

    Trains small baselines on a part of the input, and measures them. Finds words that tell a label, words in common,
    places of answers, and repeats. A campaign's folder keeps the figures for its report and its data card.
    """
    title, kind, works, folder, warning = _read(target, name, task)
    of_kind = artefacts_of(kind)
    others = {path.name: of_kind.traces(works_of(corpora_of(kind), path)) for path in beside}
    found = study(title, of_kind.traces(works), others, of_kind)
    if folder is not None:
        kept = keep(folder, found)
        Console(stderr=True).print(f"{kept} has the figures for the campaign's report and card.", soft_wrap=True)
    subject = Subject(title, TITLE, artefact_sections(found, kind.words, of_kind), None, warning)
    show_subject(subject, out, found.model_dump_json() if as_json else None)


def _read(target: str, name: str | None, task: str) -> tuple[str, Kind, Sequence[LabelledWork], Path | None, str]:
    """Return the name of the dataset, its kind and works, the folder that keeps figures, and a warning."""
    if not is_campaign(target):
        kind = bind(task)
        return Path(target).name or target, kind, works_of(corpora_of(kind), existing(target)), None, ""
    with campaign_outcomes(target, name) as outcomes:
        campaign, works = outcomes.placement.campaign, works_of_campaign(outcomes.placement)
        return campaign.id, campaign.kind, works, campaign_folder(target), simulated_warning(campaign)
