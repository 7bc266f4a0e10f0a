"""`votes`: would other annotators have agreed? Models of the votes beside the papers' rule."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from beat_the_ai.analysis.votes.labels import ARGUMENT, VoteLabels, read_gold, read_voted, vote_labels
from beat_the_ai.campaign.results.report import Subject
from beat_the_ai.campaign.results.vote_labels import keep, vote_labels_of
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.sections import page_option, show_subject
from beat_the_ai.cli.targets import campaign_folder, campaign_outcomes, is_campaign, name_option
from beat_the_ai.dataset.card import simulated_warning
from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.rules.registry import bind

TITLE = "Would other annotators have agreed?"


@click.command("votes")
@click.argument("target", metavar=ARGUMENT)
@page_option
@name_option
@task_option
@json_option
@search_paused()
def votes(target: str, out: Path | None, name: str | None, task: str, as_json: bool) -> None:
    """Compare the labels of a CAMPAIGN or EXPORT by the papers' rule with those of two models of the votes.

    Dawid and Skene's model and MACE learn from the votes whom to trust. Tells where they differ from the rule. The
    dataset keeps the labels of the rule. A campaign's folder keeps the figures for its report and its data card.
    """
    found, warning = _found(target, name, task)
    subject = Subject(Path(target).name, TITLE, found.sections, None, warning)
    show_subject(subject, out, json.dumps(found.figures) if as_json else None)


def _found(target: str, name: str | None, task: str) -> tuple[VoteLabels, str]:
    """Return the labels, and a warning that goes with them."""
    if is_campaign(target):
        with campaign_outcomes(target, name) as outcomes:
            campaign, found = outcomes.placement.campaign, vote_labels_of(outcomes)
        if (folder := campaign_folder(target)) is not None:
            kept = keep(folder, campaign, found)
            Console(stderr=True).print(f"{kept} has the figures for the campaign's report and card.", soft_wrap=True)
        return found, simulated_warning(campaign)
    path = Path(target)
    if not path.is_dir():
        raise InvalidInput(ARGUMENT, f"{target} is no folder. Name a campaign or an export.")
    kind = bind(task)
    return vote_labels(read_voted(path, kind), read_gold(path), kind), ""
