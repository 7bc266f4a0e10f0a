"""`report` and `annotate`: pages about a campaign or any dataset, each one file that opens offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.analysis.annotations import read_annotations, sample
from beat_the_ai.analysis.pages import annotation_page
from beat_the_ai.campaign.results.files import write_report
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.report import Subject, subject_of
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.terminal import shown
from beat_the_ai.dataset.export import collect
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import parts_of
from beat_the_ai.files.values import check_unique
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.rules.corpora import Corpora, Item
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind
from beat_the_ai.statistics.section import Section
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, main_campaigns, store_file

target_argument = click.argument("target", metavar="CAMPAIGN|DATASET")
out_option = click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
name_option = click.option("--name", metavar="ID", help="The campaign, where the store holds several.")


@click.command()
@target_argument
@out_option
@click.option(
    "--annotations",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="What the page of `annotate` saved; more than one is allowed.",
)
@name_option
@task_option
@search_paused()
def report(target: str, out: Path, annotations: tuple[Path, ...], name: str | None, task: str) -> None:
    """The papers' tables and figures, for a CAMPAIGN (folder, SQLite file, URL) or a DATASET, as one page.

    A DATASET of reading comprehension is SQuAD v1.1 JSON, JSON Lines, or a folder with train, dev and test of either.
    """
    subject = _subject(target, name, task)
    if annotations:
        _, items, corpora = _items(target, name, task)
        known = _known(read_annotations(annotations, corpora.scheme), items)
        subject.sections.append(corpora.annotated(known))
    write_report(subject, out)
    click.echo(out)


def print_sections(sections: Sequence[Section]) -> None:
    """On a terminal, without plots."""
    for section in sections:
        table = Table(title=section.title, caption=section.text, caption_justify="left")
        for name in section.table.header:
            table.add_column(name, overflow="fold")
        for row in section.table.rows:
            table.add_row(*map(shown, row))
        Console().print(table)


@click.command()
@target_argument
@out_option
@click.option("--sample", "size", type=click.IntRange(1), default=100, show_default=True, help="How many.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides which.")
@name_option
@task_option
def annotate(target: str, out: Path, size: int, seed: int, name: str | None, task: str) -> None:
    """A page to label a sample of a CAMPAIGN or DATASET: of reading comprehension, with what questions require.

    The page works offline and saves a file; `report --annotations FILE` shows the distribution.
    """
    title, items, corpora = _items(target, name, task)
    drawn = sample(items, size, seed)
    if not drawn:
        raise InvalidInput("CAMPAIGN|DATASET", f"{target} holds nothing to annotate.")
    write_text(out, annotation_page(title, drawn, corpora.scheme))
    click.echo(out)


def _known(annotations: dict[str, list[str]], items: Sequence[Item]) -> dict[str, list[str]]:
    """Return those of the dataset's items, and count the others on stderr. Raises `InvalidInput` when there is none."""
    ids = {item.id for item in items}
    known = {name: labels for name, labels in annotations.items() if name in ids}
    if not known:
        raise InvalidInput("--annotations", "Nothing of the annotations is in this dataset.")
    if others := len(annotations) - len(known):
        click.echo(f"{others:,} annotations have an id that is not in the dataset, and are left out.", err=True)
    return known


def _subject(target: str, name: str | None, task: str) -> Subject:
    if is_campaign(target):
        with campaign_store(target) as store:
            campaign = chosen_campaign(store, name)
            folder = Path(target) if Path(target).is_dir() else None
            with CampaignOutcomes.at_one_moment(campaign) as outcomes:
                return subject_of(outcomes, folder)
    kind, path = bind(task), existing(target)
    corpora = corpora_of(kind)
    return Subject(_title(target), corpora.introduction(path), list(corpora.sections(path)), kind.paper)


def _title(dataset: str) -> str:
    return Path(dataset).name or dataset


def _items(target: str, name: str | None, task: str) -> tuple[str, Sequence[Item], Corpora]:
    """Return a title, the items to annotate, and their corpora. Raises `InvalidInput` for a kind without any."""
    if not is_campaign(target):
        corpora = corpora_of(bind(task))
        items = corpora.items(existing(target))
        check_unique((item.id for item in items), target, "CAMPAIGN|DATASET", "items")
        return _title(target), items, corpora
    with campaign_store(target) as store:
        campaign = chosen_campaign(store, name)
        corpora = corpora_of(campaign.kind)
        with CampaignOutcomes.at_one_moment(campaign) as outcomes:
            parts = collect(outcomes.placement)
        return campaign.id, [corpora.item(one) for examples in parts.values() for one in examples], corpora


def corpora_of(kind: Kind) -> Corpora:
    if kind.corpora is None:
        raise InvalidInput("--task", f"{kind.name} reads no datasets in files.")
    return kind.corpora


def is_campaign(target: str) -> bool:
    return "://" in target or Path(target).suffix == ".db" or store_file(Path(target)) is not None


def existing(target: str) -> Path:
    """Return a dataset's path, with a word on stderr of files in its folder that are no part of it."""
    if not Path(target).exists():
        raise InvalidInput("CAMPAIGN|DATASET", f"{target} does not exist.")
    for path in parts_of(Path(target)).left_out:
        click.echo(f"{path} is no train, dev or test part, and is left out.", err=True)
    return Path(target)


def chosen_campaign(store: Store, name: str | None) -> BoundCampaign:
    """Return the only campaign, or the one of that name. One of sample HITs has to be named.

    Raises `InvalidInput` for several or none.
    """
    if name is not None:
        return BoundCampaign.open(store, name)
    campaigns = main_campaigns(store)
    if len(campaigns) != 1:
        names = ", ".join(campaign.id for campaign in campaigns)
        raise InvalidInput("--name", f"The store holds {len(campaigns)} campaigns: {names}. Choose one with --name.")
    return campaigns[0]
