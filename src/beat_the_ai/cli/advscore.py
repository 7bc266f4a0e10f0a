"""`advscore`: is a dataset hard for models and not for people?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from beat_the_ai.analysis.adversarialness import adversarialness
from beat_the_ai.analysis.responses import ARGUMENT, Collected, add_models, collect_votes, read_export, read_responses
from beat_the_ai.campaign.models.rescoring import FOLDER, Rescored, all_rescored
from beat_the_ai.campaign.results.report import Subject
from beat_the_ai.campaign.results.responses import model_answers, responses_of_campaign
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.sections import page_option, show_subject
from beat_the_ai.cli.targets import campaign_outcomes, is_campaign, name_option
from beat_the_ai.dataset.card import simulated_warning
from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind

TITLE = "How adversarial is it, to people and to models?"


@click.command("advscore")
@click.argument("target", metavar=ARGUMENT)
@click.option(
    "--responses",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="More answers to the same examples: subject, kind (person or model), item, correct, and released of models. "
    "Of Quizbowl also Protobowl's log.",
)
@click.option(
    "--rescored",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=f"Where `rescore` has left the answers of models. Else {FOLDER} in the campaign or export.",
)
@page_option
@name_option
@task_option
@json_option
@search_paused()
def advscore(
    target: str,
    responses: tuple[Path, ...],
    rescored: Path | None,
    out: Path | None,
    name: str | None,
    task: str,
    as_json: bool,
) -> None:
    """Score how adversarial a CAMPAIGN's dataset, an EXPORT, or a file of RESPONSES is (AdvScore, Sung et al. 2025).

    People's answers are the votes, models' those of `rescore`. Tells which examples are hard for people, and of these
    which may be ambiguous.
    """
    collected, kind, warning = _collected(target, rescored, name, task)
    read_responses(responses, collected, kind)
    found = adversarialness(collected)
    subject = Subject(Path(target).name, TITLE, found.sections, None, warning)
    show_subject(subject, out, json.dumps(found.figures) if as_json else None)


def _collected(target: str, rescored: Path | None, name: str | None, task: str) -> tuple[Collected, Kind, str]:
    """Return the answers, the kind of task, and a warning that goes with them."""
    if is_campaign(target):
        with campaign_outcomes(target, name) as outcomes:
            found = responses_of_campaign(outcomes.placement, _rescored(target, rescored))
            return found, outcomes.placement.campaign.kind, simulated_warning(outcomes.placement.campaign)
    path = Path(target)
    if not path.exists():
        raise InvalidInput(ARGUMENT, f"{target} does not exist. Name a campaign, an export, or a file of responses.")
    kind = bind(task)
    if path.is_dir():
        return collect_votes(read_export(path, kind), model_answers(_rescored(target, rescored)), kind), kind, ""
    collected = Collected()
    read_responses([path], collected, kind, ARGUMENT)
    if rescored is not None:
        add_models(collected, model_answers(all_rescored(rescored)))
    return collected, kind, ""


def _rescored(target: str, given: Path | None) -> list[Rescored]:
    return all_rescored(given if given is not None else Path(target) / FOLDER)
