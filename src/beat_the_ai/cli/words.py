"""`words`: all that workers read on a task's pages, in each language that it offers."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.campaign.settings.words import check_languages, checked_languages, word_folders
from beat_the_ai.cli.campaign_arguments import CampaignArguments, given_argument
from beat_the_ai.words.faults import faults


@click.group()
def words() -> None:
    """Check the words of workers' pages: messages and texts, by language."""


@words.command()
@given_argument
def check(given: CampaignArguments) -> None:
    """List what is missing, unsafe, untranslated or no message, in each language that a task offers.

    The task's own words are in TASK_DIR/words/LANGUAGE. `language.choices=[de,es]` checks these languages, too.
    """
    settings = given.settings(Path("out"))
    check_languages(settings)
    folders, languages = word_folders(settings), checked_languages(settings)
    found = [fault for language in languages for fault in faults(folders, language, folders[-1])]
    for fault in found:
        click.echo(str(fault))
    if found:
        raise click.ClickException(f"{len(found)} faults in the words of {', '.join(languages)}.")
    click.echo(f"No faults in the words of {', '.join(languages)}.")
