"""`forms check | export`: consent forms and surveys, and what people have answered."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.cli.payments import campaign_argument
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.forms import read_form
from beat_the_ai.forms.export import export_answers
from beat_the_ai.terms.locate import campaign_store, main_campaigns


@click.group()
def forms() -> None:
    """Check consent forms and surveys, and export the answers to them."""


@forms.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """Check FILES: forms in Markdown or YAML, as `forms.before` names them."""
    for path in files:
        form = read_form(path)
        asked = f", {len(form.questions)} questions" if form.questions else ""
        click.echo(f"{path}: {form.kind} {form.title!r}, version {form.version}{asked}")


@forms.command()
@campaign_argument
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="A file of JSON Lines.")
@click.option("--joined", is_flag=True, help="Name people as the dataset does, so that both can be joined.")
def export(campaign: str, out: Path, joined: bool) -> None:
    """Export the answers of CAMPAIGN to --out, a file that only you can read.

    People have pseudonyms of their own there, and times are days. With --joined people are named as in the dataset: do
    that only if the consent that they gave allows it.
    """
    with campaign_store(campaign) as store:
        for one in main_campaigns(store):
            count = export_answers(one, out, pseudonym if joined else None)
            click.echo(f"{out} has {count} answered forms of campaign {one.id}.")
