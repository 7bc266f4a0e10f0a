"""`report` and `annotate`: pages about a campaign or any dataset, each one file that opens offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from beat_the_ai.analysis.annotations import read_annotations, sample
from beat_the_ai.analysis.campaign import (
    CampaignFigures,
    Checked,
    Cost,
    Discard,
    Uncounted,
    campaign_sections,
    observe,
)
from beat_the_ai.analysis.pages import annotation_page, report_page
from beat_the_ai.campaign.accounts import tariffs
from beat_the_ai.campaign.stores import campaign_store, store_file
from beat_the_ai.campaign.validated import Findings, divisions_of, kind_of, terms_by_round
from beat_the_ai.campaign.waiting import WORDS, held_in
from beat_the_ai.cli.model_options import task_option
from beat_the_ai.dataset.card import SIMULATED
from beat_the_ai.dataset.export import collect, parts_of
from beat_the_ai.dataset.files import write_text
from beat_the_ai.dataset.records import pseudonym, trial
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.dataset.validation import NOT_VALIDATED, Status, Validation
from beat_the_ai.errors import InvalidInput
from beat_the_ai.payments import Cause, Tariffs, owed_by
from beat_the_ai.rules.corpora import Corpora, Item
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind
from beat_the_ai.statistics.section import Section
from beat_the_ai.store import Campaign, Store
from beat_the_ai.workforce import Assessment, assess, refused_newcomers
from beat_the_ai.workforce.reviewing import standing_reviews
from beat_the_ai.workforce.screening import SCREENING_OF, sample_campaign_id

target_argument = click.argument("target", metavar="CAMPAIGN|DATASET")
out_option = click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
name_option = click.option("--name", metavar="ID", help="The campaign, where the store holds several.")


@dataclass(frozen=True)
class Subject:
    """What a page is about."""

    title: str
    introduction: str
    sections: list[Section]
    warning: str = ""


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


def write_report(subject: Subject, out: Path) -> None:
    write_text(out, report_page(subject.title, subject.introduction, subject.sections, subject.warning))


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
    """Those of items of the dataset. Raises `InvalidInput` when there is none."""
    ids = {item.id for item in items}
    known = {name: labels for name, labels in annotations.items() if name in ids}
    if not known:
        raise InvalidInput("--annotations", "Nothing of the annotations is in this dataset.")
    return known


def _subject(target: str, name: str | None, task: str) -> Subject:
    if _is_campaign(target):
        with campaign_store(target) as store:
            campaign = _campaign(store, name)
            return subject_of(store, campaign, Findings(store, campaign))
    corpora, path = _corpora(bind(task)), _existing(target)
    return Subject(_title(target), corpora.introduction(path), list(corpora.sections(path)))


def _title(dataset: str) -> str:
    return Path(dataset).name or dataset


def _items(target: str, name: str | None, task: str) -> tuple[str, Sequence[Item], Corpora]:
    """What can be annotated, and whose it is. Raises `InvalidInput` for a kind of task that does not tell."""
    if not _is_campaign(target):
        corpora = _corpora(bind(task))
        return _title(target), corpora.items(_existing(target)), corpora
    with campaign_store(target) as store:
        campaign = _campaign(store, name)
        kind, validation = kind_of(store, campaign), Findings(store, campaign).validation
        corpora = _corpora(kind)
        tally = collect(store, campaign, kind, divisions_of(store, campaign), validation)
        return campaign.id, [corpora.item(one) for kept in tally.parts.values() for one in kept], corpora


def _corpora(kind: Kind) -> Corpora:
    if kind.corpora is None:
        raise InvalidInput("--task", f"{kind.name} says nothing of datasets in files, and has nothing to annotate.")
    return kind.corpora


def _is_campaign(target: str) -> bool:
    return "://" in target or Path(target).suffix == ".db" or store_file(Path(target)) is not None


def _existing(target: str) -> Path:
    if not Path(target).exists():
        raise InvalidInput("CAMPAIGN|DATASET", f"{target} does not exist.")
    return Path(target)


def _campaign(store: Store, name: str | None) -> Campaign:
    """That of sample HITs does not count unless it is named. Raises `InvalidInput` for several or none."""
    ids = [one for one in store.campaigns.ids() if SCREENING_OF not in store.campaigns.get(one).config]
    if name is None and len(ids) != 1:
        raise InvalidInput("--name", f"The store holds {len(ids)} campaigns: {', '.join(ids)}. Choose one with --name.")
    return store.campaigns.get(name or ids[0])


def subject_of(store: Store, campaign: Campaign, findings: Findings) -> Subject:
    return campaign_subject(store, campaign, findings.validation, findings.checked, findings.verified_wins)


def campaign_subject(
    store: Store,
    campaign: Campaign,
    validation: Validation = NOT_VALIDATED,
    checked: Checked | None = None,
    verified: Collection[str] = (),
) -> Subject:
    """`validation` decides what is in the dataset; `checked` has the figures of human performance.

    `verified` are the attempts for which bonuses for confirmed wins are paid.
    """
    validation = validation.without(store.standings.discarded(campaign.id))
    kind = kind_of(store, campaign)
    tally = collect(store, campaign, kind, divisions_of(store, campaign), validation)
    discarded = validation.discarded_workers
    models, writers, seconds = observe(
        (row for row in store.attempts.kept(campaign.id) if row.assignment.worker not in discarded),
        (made for made in store.attempts.confirmed(campaign.id) if made.worker not in discarded),
        lambda worker: pseudonym(worker, campaign),
        _reviewed(store, campaign, discarded),
    )
    if checked is None and kind.checking is not None:
        checked = Checked(kind.checking.text, _kept(tally))
    discards = _discards(store, campaign, discarded, kind)
    figures = CampaignFigures(
        kind.words,
        models,
        writers,
        seconds,
        _cost(store, campaign, tally, validation, verified),
        checked,
        discards,
        len(refused_newcomers(store, campaign.id)),
        _uncounted(store, campaign),
    )
    state = "checked by other people too" if validation.outcomes else "not yet checked by other people"
    introduction = f"A campaign of {sum(tally.attempts.values()):,} attempts; its {kind.words.works} are {state}."
    warning = SIMULATED if campaign.simulated else ""
    of_kind = kind.report(tally.parts, _trials(store, campaign, validation)) if kind.report is not None else []
    return Subject(campaign.id, introduction, [*of_kind, *campaign_sections(figures)], warning)


def _trials(store: Store, campaign: Campaign, validation: Validation) -> Iterator[Trial]:
    part_of = parts_of(store, campaign, divisions_of(store, campaign), validation)
    for row in store.attempts.kept(campaign.id):
        if not row.attempt.retracted and row.assignment.worker not in validation.discarded_workers:
            yield trial(row, part_of[row.hit.context.id], validation)


def _kept(tally: Tally) -> dict[str, tuple[int, int]]:
    """`{part: (valid, decided)}` of the parts in which anything is decided."""
    found = {}
    for part in tally.parts:
        valid, invalid = tally.outcomes[part, Status.VALID], tally.outcomes[part, Status.INVALID]
        if valid + invalid:
            found[part] = (valid, valid + invalid)
    return found


def _reviewed(store: Store, campaign: Campaign, discarded: Collection[str]) -> Counter[str]:
    """How many HITs of each worker have a reviewer's verdict."""
    judged = standing_reviews(store.reviews.of_campaign(campaign.id))
    made = store.attempts.confirmed(campaign.id)
    return Counter(one.worker for one in made if one.id in judged and one.worker not in discarded)


def _discards(store: Store, campaign: Campaign, discarded: Collection[str], kind: Kind) -> list[Discard]:
    """Of everybody who has work that counts, in the order of their ids."""
    attempts = Counter(
        row.assignment.worker for row in store.attempts.of_campaign(campaign.id) if row.assignment.counts
    )
    revoked = store.standings.discarded(campaign.id)
    why = kind.checking.text.discarded if kind.checking is not None else ""
    return [
        Discard(
            pseudonym(one.worker, campaign),
            one.completed,
            attempts[one.worker],
            _why_revoked(one) if one.worker in revoked else why,
        )
        for one in assess(store, campaign.id)
        if one.worker in discarded and one.completed
    ]


def _why_revoked(one: Assessment) -> str:
    if not one.reviewed:
        return "revoked by a reviewer"
    return f"revoked by a reviewer; {one.accepted:,} of {one.reviewed:,} reviewed HITs were accepted"


def _uncounted(store: Store, campaign: Campaign) -> list[Uncounted]:
    """By cause. Nothing for a campaign whose terms do not tell what it pays."""
    if not _pays(store, campaign):
        return []
    held = held_in(store, campaign.id)
    by_cause = {cause: [one for one in held if one.cause is cause] for cause in Cause}
    return [
        Uncounted(
            WORDS[cause],
            len(of_cause),
            sum(len(store.attempts.of_assignment(one.assignment.id)) for one in of_cause),
            sum(one.decision is not None for one in of_cause),
        )
        for cause, of_cause in by_cause.items()
        if of_cause
    ]


def _cost(
    store: Store, campaign: Campaign, tally: Tally, validation: Validation, verified: Collection[str]
) -> Cost | None:
    """None for a campaign whose terms do not tell what it pays."""
    if not _pays(store, campaign):
        return None
    paid = tariffs(store, campaign.id)
    screening = sample_campaign_id(campaign.id)
    whole = _earned(store, campaign.id, paid, verified)
    without_validation = {number: replace(tariff, validation_reward_cents=0) for number, tariff in paid.items()}
    writing = _earned(store, campaign.id, without_validation, verified)
    has_screening = screening in store.campaigns.ids()
    kept = [example.id for examples in tally.parts.values() for example in examples if example.fooled]
    return Cost(
        screening_cents=_earned(store, screening, tariffs(store, screening)) if has_screening else 0,
        writing_cents=writing,
        validation_cents=whole - writing,
        works=len(kept),
        validated=sum(validation.status(name) is Status.VALID for name in kept),
    )


def _pays(store: Store, campaign: Campaign) -> bool:
    return all(terms.pays for terms in terms_by_round(store, campaign).values())


def _earned(store: Store, campaign_id: str, paid: Tariffs, verified: Collection[str] = ()) -> int:
    return sum(one.with_fee_cents for one in owed_by(store, campaign_id, paid, verified))
