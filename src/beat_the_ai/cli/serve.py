"""`serve`: a stage of a campaign for people, in a browser, without a crowd."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from beat_the_ai.campaign.acts.pausing import paused
from beat_the_ai.campaign.results.files import REPORT_FILE, export_and_report
from beat_the_ai.campaign.results.progress import progress_of
from beat_the_ai.campaign.service.running import running
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.pages import page_folder
from beat_the_ai.campaign.settings.planned_round import warnings_of_training_texts
from beat_the_ai.cli.campaign_arguments import CampaignArguments, given_argument
from beat_the_ai.cli.status import progress_table
from beat_the_ai.cli.tasks import stage_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign

POLL_SECONDS = 2  # looking whether everything is done reads much of the store


@click.command()
@given_argument
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/play"), show_default=True)
@stage_option
def serve(given: CampaignArguments, out: Path, stage: Stage) -> None:
    """Serve a campaign to people until stopped; started again with the same --out, it goes on where it was.

    A campaign that is there needs no TASK_DIR: it knows its settings. Several stages may be served at once, each by a
    process of its own.
    """
    settings = given.settings(out.resolve())
    if settings.crowd.is_marketplace:
        raise InvalidInput("crowd", "crowd=mturk costs money, which `launch` shows and asks about first. Use `launch`.")
    page_dir = page_folder(settings.task_dir)
    console = Console()
    with running(settings, page_dir=page_dir, stage=stage) as served:
        for warning in warnings_of_training_texts(settings) if stage is Stage.WRITING else ():
            console.print(warning, soft_wrap=True)
        if told := paused(served.campaign.record):
            console.print(f"{told} `beat-the-ai continue {out}` ends that.", soft_wrap=True, markup=False)
        console.print(_invitation(settings, stage, served.url))  # last: Ctrl-C ends serving from here on
        if served.operator.wait(served.done, POLL_SECONDS):
            served.operator.finish()
        campaign = BoundCampaign.open(served.store, settings.name)
        export_and_report(campaign, out)
        console.print(progress_table(progress_of(campaign)))
        console.print(f"Exported to {out}; {out / REPORT_FILE} shows what is in it.", soft_wrap=True)


def _invitation(settings: Settings, stage: Stage, url: str) -> str:
    page = f"{url}/"
    return (
        f"\n[bold]{settings.task.title}[/bold]\nThe {stage.value} is open. Work here:\n\n"
        f"    [link={page}]{page}[/link]\n\n"
        "Whoever opens it chooses a name, and gets one HIT after the other.\n"
        "Ctrl-C stops and exports; the same command resumes.\n"
    )
