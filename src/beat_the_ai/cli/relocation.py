"""`relocate`: where the task folder of a campaign lies by now, and with it a kind of task of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.cli.tasks import task_dir
from beat_the_ai.terms.campaign import BoundCampaign, relocated
from beat_the_ai.terms.locate import campaign_store


@click.command()
@click.argument("campaign")
@task_dir
def relocate(campaign: str, task_dir: Path) -> None:
    """Tell a CAMPAIGN (folder, SQLite file, URL) that its task folder lies at TASK_DIR now, or on this machine.

    What it collects and how stays the same. Its kind of task has to be there.
    """
    folder = task_dir.resolve()
    with campaign_store(campaign) as store:
        campaigns = BoundCampaign.all_in(store)  # that of its sample HITs, too
        moved = [relocated(each.record, folder) for each in campaigns]
        for campaign_, record in zip(campaigns, moved, strict=True):
            campaign_.current.terms.kind(record.kind_place)  # raises `InvalidInput` where it is not there
        for record in moved:
            store.campaigns.amend(record)
    click.echo(f"The task folder is {folder}.")
