"""`words`: all that workers read on a task's pages, in each language that it offers."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.campaign.settings.words import check_languages, checked_folders, checked_languages
from beat_the_ai.cli.campaign_arguments import CampaignArguments, given_argument
from beat_the_ai.words.faults import faults


@click.group()
def words() -> None:
    """Check and preview the words of workers' pages: messages and texts, by language."""


@words.command()
@given_argument
def check(given: CampaignArguments) -> None:
    """List what is missing, unsafe, untranslated or no message, in each language that a task offers.

    The task's own words are in TASK_DIR/words/LANGUAGE. `language.choices=[de,es]` checks these languages, too.
    """
    settings = given.settings(Path("out"))
    check_languages(settings)
    folders, languages = checked_folders(settings), checked_languages(settings)
    found = [fault for language in languages for fault in faults(folders, language, folders[-1])]
    for fault in found:
        click.echo(str(fault))
    if found:
        raise click.ClickException(f"{len(found)} faults in the words of {', '.join(languages)}.")
    click.echo(f"No faults in the words of {', '.join(languages)}.")


@words.command()
@given_argument
@click.option("--language", metavar="TAG", help="Begin with this one.  [default: the campaign's]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
def preview(given: CampaignArguments, language: str | None, port: int) -> None:
    """Show the pages of a task's workers, in each of their states, with its words, until stopped.

    Words are read anew with each reload: edit files in TASK_DIR/words and see them in place, beside what `check` finds.
    Nothing is kept, and no model is asked.
    """
    from beat_the_ai.campaign.preview import serve

    serve(given.settings(Path("out")), language, port, click.echo)
