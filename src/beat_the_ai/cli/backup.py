"""`backup` and `restore`: a campaign in one file, and out of it."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

import click
from rich.progress import DownloadColumn

from beat_the_ai.campaign.backup.archive import opened
from beat_the_ai.campaign.backup.checking import check
from beat_the_ai.campaign.backup.making import FOLDER_VARIABLE, back_up
from beat_the_ai.campaign.backup.restoring import Restored
from beat_the_ai.campaign.backup.restoring import restore as restore_archive
from beat_the_ai.cli.campaign_arguments import store_place
from beat_the_ai.cli.logged import log_of_all
from beat_the_ai.cli.shown_progress import shown_progress
from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.signals import interrupted
from beat_the_ai.rules.text import printable
from beat_the_ai.store.audit import BACKED_UP
from beat_the_ai.terms.locate import campaign_store

LONGEST_SHOWN = 1000
MAIN_TABLES = ("assignments", "attempts", "validation_votes", "payments")


@click.command()
@click.argument("campaign", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--to",
    required=True,
    envvar=FOLDER_VARIABLE,
    show_envvar=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="A private folder for backups; made if need be.",
)
@click.option("--keep", type=click.IntRange(1), metavar="N", help="Remove all but the newest N backups of it there.")
@click.option("--no-check", is_flag=True, help="Do not try whether it can be restored.")
def backup(campaign: Path, to: Path, keep: int | None, no_check: bool) -> None:
    """Pack the folder CAMPAIGN, its store and the people of its crowd into one private file.

    It may be served meanwhile. The file has everything but the task folder, models outside of CAMPAIGN, and tokens.
    """
    place = store_place(campaign)
    with campaign_store(place) as store:
        log_of_all(store, BACKED_UP, to.name)
    with interrupted(), shown_progress(DownloadColumn()) as watch:
        made = back_up(campaign, place, to, watch, keep=keep, checked=not no_check)
    if made.had_rest:
        click.echo("An earlier backup was cut off; the rest of it is removed.")
    for path in made.removed:
        click.echo(f"Removed: {path}")
    manifest = made.manifest
    rows = {name: count for each in manifest.databases for name, count in each.rows.items() if name in MAIN_TABLES}
    counted = ", ".join(f"{rows[name]:,} {name.replace('_', ' ')}" for name in MAIN_TABLES if name in rows)
    size = made.path.stat().st_size / 2**20
    click.echo(f"{made.path}: {len(manifest.files):,} files, {counted}; {size:,.1f} MiB.")
    if no_check:
        click.echo(f"It was not checked: beat-the-ai restore {shlex.quote(str(made.path))} --check")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", type=click.Path(file_okay=False, path_type=Path), help="A new folder for the campaign.")
@click.option("--check", "only_check", is_flag=True, help="Try whether it can be restored, and write nothing.")
@click.option("--store", metavar="URL", help="An empty PostgreSQL database, where the campaign's store was one.")
@click.option(
    "--people",
    metavar="PLACE",
    help="A new place for the people of its crowd [default: in the folder], or the one where they still are.",
)
def restore(file: Path, to: Path | None, only_check: bool, store: str | None, people: str | None) -> None:
    """Restore a campaign from the backup FILE; `launch --resume` then goes on with it.

    Nothing is overwritten. The backup is checked first, and brought to this version.
    """
    if (to is None) != only_check:
        raise InvalidInput("--to", "Name a new folder for the campaign (--to FOLDER), or only --check the backup.")
    with interrupted(), shown_progress(DownloadColumn()) as watch:
        if to is None:
            with opened(file) as archive, tempfile.TemporaryDirectory(dir=file.parent, prefix=".check-") as folder:
                check(archive, Path(folder), watch)
            restored = None
        else:
            restored = restore_archive(file, to, watch, store=store, people=people)
    if restored is None:
        click.echo(f"{file} is sound.")
    else:
        _tell(restored)


def _tell(restored: Restored) -> None:
    place = shlex.quote(str(restored.folder))
    click.echo(f"{', '.join(restored.manifest.campaigns)} as of {restored.manifest.made_at:%Y-%m-%d %H:%M:%S} UTC.")
    click.echo(f"Folder: {restored.folder}. Store: {restored.store}.")
    if restored.people is not None:
        stayed = ", which are there already and stay as they are" if restored.people_stayed else ""
        click.echo(f"People: {restored.people}{stayed}.")
    for folder in restored.missing_tasks:
        lost = printable(folder, max_chars=LONGEST_SHOWN)
        click.echo(f"The task folder {lost} is not here. Say where it is: beat-the-ai relocate {place} TASK_DIR")
    for model in restored.missing_models:
        click.echo(f"The model {printable(model, max_chars=LONGEST_SHOWN)} is not here. Copy it to the same path.")
    click.echo("Stop the old campaign, and the portal of its people, if they live: only one may go on.")
    click.echo(f"Go on with: beat-the-ai launch --resume --out {place}")
