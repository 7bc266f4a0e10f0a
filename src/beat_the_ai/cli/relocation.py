"""`relocate`: where the task folder of a campaign lies by now, and with it a kind of task of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from beat_the_ai.campaign.stores import campaign_store
from beat_the_ai.cli.tasks import task_dir
from beat_the_ai.workforce.kinds import current_kind


@click.command()
@click.argument("campaign")
@task_dir
def relocate(campaign: str, task_dir: Path) -> None:
    """Tell a CAMPAIGN (folder, SQLite file, URL) that its task folder lies at TASK_DIR now, or on this machine.

    What it collects and how stays the same. Its kind of task has to be there.
    """
    folder = task_dir.resolve()
    with campaign_store(campaign) as store:
        known = map(store.campaigns.get, store.campaigns.ids())  # that of its sample HITs, too
        moved = [replace(each, config={**each.config, "task_dir": str(folder)}) for each in known]
        for each in moved:
            current_kind(store, each)  # raises `InvalidInput` where it is not there
        for each in moved:
            store.campaigns.amend(each.id, each.config)
    click.echo(f"The task folder is {folder}.")
