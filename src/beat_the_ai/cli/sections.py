"""Sections of a report, as commands give them: a page, tables on a terminal, or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.results.files import write_report
from beat_the_ai.campaign.results.report import Subject
from beat_the_ai.cli.terminal import shown
from beat_the_ai.statistics.section import Section

page_option = click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Gets a page that opens offline."
)


def show_subject(subject: Subject, out: Path | None, figures: str | None) -> None:
    """Write the page of a subject, if it has a place. Print its figures, which are JSON, or else its tables."""
    if out is not None:
        write_report(subject, out)
    if figures is not None:
        click.echo(figures)
    else:
        print_sections(subject.sections)


def print_sections(sections: Sequence[Section]) -> None:
    """Print the tables of sections, without plots."""
    for section in sections:
        table = Table(title=section.title, caption=section.text, caption_justify="left")
        for name in section.table.header:
            table.add_column(name, overflow="fold")
        for row in section.table.rows:
            table.add_row(*map(shown, row))
        Console().print(table)
