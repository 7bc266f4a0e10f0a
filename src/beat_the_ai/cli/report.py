"""`report` and `annotate`: pages about a campaign or any dataset, each one file that opens offline."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from beat_the_ai.analysis.annotations import read_annotations, sample
from beat_the_ai.analysis.pages import annotation_page
from beat_the_ai.campaign.models.answer_files import read_answer_files
from beat_the_ai.campaign.results.compared import compared_subject
from beat_the_ai.campaign.results.files import report_figures, write_report
from beat_the_ai.campaign.results.report import Subject, subject_of
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.cli.targets import (
    campaign_folder,
    campaign_outcomes,
    corpora_of,
    existing,
    is_campaign,
    name_option,
    target_argument,
)
from beat_the_ai.dataset.export import collect
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import PART_NAMES
from beat_the_ai.files.values import check_unique
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.rules.answers import Beside
from beat_the_ai.rules.corpora import Corpora, Item
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind
from beat_the_ai.statistics.section import Section
from beat_the_ai.terms.division import DEV

ALL = "all"
DATASET = click.Path(exists=True, path_type=Path)
out_option = click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)


@click.command()
@click.argument("targets", metavar="CAMPAIGN|DATASET...", nargs=-1, required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The page.")
@click.option("--json", "as_json", is_flag=True, help="Print titles, texts and tables instead of the page.")
@click.option(
    "--annotations",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="What the page of `annotate` saved, or a table of others (of NLI: ANLI's); more than one is allowed.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    help="The name of a dataset among several: once for each, in their order. Without it they have their files' names.",
)
@click.option(
    "--answers",
    multiple=True,
    metavar="[NAME=]FILE|FOLDER",
    help="What models answered to the DATASET and to --regular: of `rescore` or `adversary predict`.",
)
@click.option(
    "--regular",
    type=DATASET,
    multiple=True,
    metavar="DATASET",
    help="Works to compare the DATASET with, written against no model.",
)
@click.option(
    "--known",
    type=DATASET,
    multiple=True,
    metavar="DATASET",
    help="Works that models were trained on: what of them is in both.",
)
@name_option
@task_option
@search_paused()
def report(
    targets: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    annotations: tuple[Path, ...],
    labels: tuple[str, ...],
    answers: tuple[str, ...],
    regular: tuple[Path, ...],
    known: tuple[Path, ...],
    name: str | None,
    task: str,
) -> None:
    """The papers' tables and figures, for a CAMPAIGN (folder, SQLite file, URL) or a DATASET, as one page.

    A DATASET is a file in any format of `export` or of the Hugging Face hub, or a folder with train, dev and test.
    Quizbowl sets --answers, --regular and --known beside a dataset; a campaign's report finds its own.
    Several of one kind of task stand side by side, with the figures that the paper has of its own datasets.
    """
    if (out is None) is not as_json:
        raise click.UsageError("Name the page with --out FILE, or ask for --json.")
    names = _names(targets, labels)
    beside = Beside(known, regular, read_answer_files(answers))
    subjects = [_subject(target, name, task, beside) for target in targets]
    if annotations:
        _annotate(subjects, targets, annotations, name, task)
    subject = subjects[0] if len(subjects) == 1 else compared_subject(dict(zip(names, subjects, strict=True)))
    if out is None:
        click.echo(json.dumps(report_figures(subject), ensure_ascii=False))
        return
    write_report(subject, out)
    click.echo(out)


def _names(targets: Sequence[str], labels: Sequence[str]) -> Sequence[str]:
    """Return a name for each dataset. Raises `InvalidInput` for names that do not tell all of them apart."""
    if labels and len(labels) != len(targets):
        raise InvalidInput("--label", f"{len(labels)} names were given for {len(targets)} datasets; give each one.")
    names = labels or [_title(target) for target in targets]
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise InvalidInput("--label", f"More than one dataset is called {repeated[0]}; name each with --label NAME.")
    return names


def _annotate(
    subjects: Sequence[Subject], targets: Sequence[str], paths: Sequence[Path], name: str | None, task: str
) -> None:
    """Add a section on the annotations of its items to each subject."""
    items, annotations = [], dict[str, list[str]]()
    for target in targets:
        _, parts, corpora = _items(target, name, task)
        annotations = annotations or read_annotations(paths, corpora.scheme)
        items.append(_all(parts))
    known = _known(annotations, [item for of_target in items for item in of_target])
    for subject, of_target in zip(subjects, items, strict=True):
        ids = {item.id for item in of_target}
        if mine := {item: labels for item, labels in known.items() if item in ids}:
            subject.sections.extend(corpora.annotated(mine, of_target))


@click.command()
@target_argument
@out_option
@click.option("--sample", "size", type=click.IntRange(1), default=100, show_default=True, help="How many.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides which.")
@click.option(
    "--part", type=click.Choice([*PART_NAMES, ALL]), help="The part to draw from; without it dev, where there is one."
)
@name_option
@task_option
def annotate(target: str, out: Path, size: int, seed: int, part: str | None, name: str | None, task: str) -> None:
    """A page to label a sample of a CAMPAIGN or DATASET: of reading comprehension, with what questions require.

    The page works offline and saves a file; `report --annotations FILE` shows the distribution.
    """
    title, parts, corpora = _items(target, name, task)
    chosen = part or (DEV if parts.get(DEV) else ALL)
    drawn = sample(_all(parts) if chosen == ALL else parts.get(chosen, []), size, seed)
    if not drawn:
        within = "" if chosen == ALL else f" in its part {chosen}"
        raise InvalidInput("CAMPAIGN|DATASET", f"{target} holds nothing to annotate{within}.")
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


def _subject(target: str, name: str | None, task: str, beside: Beside) -> Subject:
    if is_campaign(target):
        if not beside.is_empty:
            raise InvalidInput(
                "CAMPAIGN|DATASET",
                "--answers, --regular and --known stand beside a dataset in files. A campaign's report finds them: "
                "answers of `rescore`, and the files of task.options.",
            )
        with campaign_outcomes(target, name) as outcomes:
            return subject_of(outcomes, campaign_folder(target))
    kind, path = bind(task), existing(target)
    corpora = corpora_of(kind)
    sections = list(_sections(kind, path, beside))
    return Subject(_title(target), corpora.introduction(path), sections, kind.paper, kind=kind)


def _sections(kind: Kind, path: Path, beside: Beside) -> Sequence[Section]:
    if beside.is_empty:
        return corpora_of(kind).sections(path)
    if kind.beside is None:
        raise InvalidInput("--task", f"{kind.name} sets no --answers, --regular or --known beside a dataset.")
    return kind.beside(path, beside)


def _title(dataset: str) -> str:
    return Path(dataset).name or dataset


def _all(parts: Mapping[str, Sequence[Item]]) -> list[Item]:
    return [item for items in parts.values() for item in items]


def _items(target: str, name: str | None, task: str) -> tuple[str, Mapping[str, Sequence[Item]], Corpora]:
    """Return a title, the items to annotate by part, and their corpora. Raises `InvalidInput` for a kind without."""
    if not is_campaign(target):
        corpora = corpora_of(bind(task))
        items = corpora.items(existing(target))
        check_unique((item.id for item in _all(items)), target, "CAMPAIGN|DATASET", "items")
        return _title(target), items, corpora
    with campaign_outcomes(target, name) as outcomes:
        campaign = outcomes.placement.campaign
        corpora, parts = corpora_of(campaign.kind), collect(outcomes.placement)
        items = {part: [corpora.item(example) for example in examples] for part, examples in parts.items()}
        return campaign.id, items, corpora
