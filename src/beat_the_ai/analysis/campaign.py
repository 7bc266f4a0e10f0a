"""Sections of a report on any campaign: the model, writers, time, money, and the votes of other people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from beat_the_ai.analysis.cells import (
    bin_label,
    bin_width,
    binned,
    cell,
    clustered_bar,
    clustered_cell,
    clustered_mean_cell,
    clustered_words,
)
from beat_the_ai.analysis.drawings import Bar, bars, histogram
from beat_the_ai.files.folders import PART_NAMES
from beat_the_ai.rules.adjudication import VoteFigures
from beat_the_ai.rules.amounts import DOLLARS, show
from beat_the_ai.rules.checking import CheckingText
from beat_the_ai.rules.kind import Paper, Published, Topic, Words
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure, percent
from beat_the_ai.statistics.measures import Distribution, Rows, Share
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.store import Assignment, AttemptInCampaign

MOST_WRITERS = 40


@dataclass
class Beaten:
    """Attempts that were not taken back, by writer: those that beat the model, and those without a proper answer."""

    wins: Clustered = field(default_factory=Clustered)
    strays: Clustered = field(default_factory=Clustered)


@dataclass
class Writer:
    """The figures of one writer: submitted HITs, works that beat the model, and both of HITs that a reviewer judged."""

    hits: int = 0
    reviewed: int = 0
    wins: int = 0
    reviewed_wins: int = 0


@dataclass(frozen=True)
class Checked:
    """The results of other people's votes, by part. `text` explains them.

    `kept` counts the kept among the decided works by writer, before any is discarded for the votes on their work.
    `in_dataset` counts the kept works that are in the dataset. `human` is people's performance on these. `of_kind`
    holds sections of the kind of task about the votes.
    """

    text: CheckingText
    kept: Mapping[str, Clustered] = field(default_factory=dict)
    in_dataset: Mapping[str, int] = field(default_factory=dict)
    human: Mapping[str, Sequence[Figure]] = field(default_factory=dict)
    asked: VoteFigures | None = None
    of_kind: Sequence[Section] = ()


@dataclass(frozen=True)
class Cost:
    """Rewards, bonuses and fees so far, in hundredths of `unit`, and the works in the dataset that beat the model.

    `validated` of the `works` are valid by other people's votes. `models_cents` is what language models have charged.
    """

    screening_cents: int
    writing_cents: int
    validation_cents: int
    works: int
    validated: int
    models_cents: int = 0
    unit: str = DOLLARS


@dataclass(frozen=True)
class Discard:
    """Somebody, under a pseudonym, whose work counted and is discarded: `hits` and attempts of writing, `checked` HITs
    of validation.
    """

    worker: str
    hits: int
    attempts: int
    checked: int
    why: str


@dataclass(frozen=True)
class Uncounted:
    """Work of one kind that is paid only if a person says so; of so many `hits` somebody has said it or not."""

    what: str
    hits: int
    attempts: int
    decided: int


@dataclass(frozen=True)
class CampaignFigures:
    """`models` and `writers` by name and pseudonym. `refused` newcomers never were let in.

    `hit_seconds` have the seconds from acceptance to submission of each HIT, by writer. `checked` is None where nobody
    checks what is written. `stray` says what the models' strays are.
    """

    words: Words
    paper: Paper | None
    models: Mapping[str, Beaten]
    writers: Mapping[str, Writer]
    hit_seconds: Mapping[str, Sequence[float]]
    cost: Cost | None = None
    checked: Checked | None = None
    discards: Sequence[Discard] = ()
    refused: int = 0
    uncounted: Sequence[Uncounted] = ()
    stray: str = ""


@dataclass
class Observed:
    """Models by name; writers, and the seconds from acceptance to submission of each of their HITs, by worker id.

    HITs come before their attempts.
    """

    models: dict[str, Beaten] = field(default_factory=lambda: defaultdict(Beaten))
    writers: dict[str, Writer] = field(default_factory=lambda: defaultdict(Writer))
    hit_seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    reviewed: set[str] = field(default_factory=set)

    def hit(self, submitted: Assignment, *, is_reviewed: bool) -> None:
        assert submitted.submitted_at is not None
        writer = self.writers[submitted.worker]
        writer.hits += 1
        writer.reviewed += is_reviewed
        if is_reviewed:
            self.reviewed.add(submitted.id)
        self.hit_seconds[submitted.worker].append((submitted.submitted_at - submitted.accepted_at).total_seconds())

    def attempt(self, row: AttemptInCampaign, *, is_stray: bool = False) -> None:
        """Count an attempt that was not taken back."""
        worker = row.assignment.worker
        writer = self.writers[worker]
        writer.wins += row.attempt.fooled
        writer.reviewed_wins += row.attempt.fooled and row.assignment.id in self.reviewed
        beaten = self.models[row.attempt.model_name]
        beaten.wins.add(worker, row.attempt.fooled)
        beaten.strays.add(worker, is_stray)


def campaign_sections(figures: CampaignFigures) -> list[Section]:
    """Return the sections for which a campaign has figures. Each names the same figures in its kind's paper."""
    sections = [(Topic.BEATEN, _beaten(figures.models, figures.stray))]
    if figures.checked is not None:
        sections += _checked(figures.checked, figures.words)
    if figures.writers:
        sections.append((Topic.WRITERS, _writers(figures.writers, figures.words)))
    if figures.discards or figures.refused:
        sections.append((Topic.DISCARDS, _discards(figures.discards, figures.refused, figures.checked)))
    if figures.uncounted:
        sections.append((Topic.WAITING, _uncounted(figures.uncounted)))
    if figures.hit_seconds:
        sections.append((Topic.TIME, _time(figures.hit_seconds)))
    if figures.cost is not None:
        sections.append((Topic.COST, _cost(figures.cost, figures.words)))
    published = figures.paper.published if figures.paper is not None else {}
    return [_compared(section, published.get(topic, Published())) for topic, section in sections]


def _compared(section: Section, published: Published) -> Section:
    return replace(section, source=published.place, text=f"{section.text} {published.comparison}".strip())


def _checked(checked: Checked, words: Words) -> list[tuple[Topic, Section]]:
    sections = []
    if checked.kept:
        sections.append((Topic.CHECKED, _kept(checked)))
    if checked.human:
        sections.append((Topic.HUMAN, _human(checked, words)))
    if checked.asked is not None:
        sections.append((Topic.VALIDATORS, _asked(checked.asked, words)))
    return sections


def _beaten(models: Mapping[str, Beaten], stray: str) -> Section:
    wins, strays = (Clustered.merged(getattr(one, name) for one in models.values()) for name in ("wins", "strays"))
    named = {**models, "all": Beaten(wins, strays)} if len(models) != 1 else models
    header: tuple[str, ...] = ("model", "attempts", "beaten")
    rows: list[tuple[str, ...]] = [
        (name, f"{one.wins.of:,.0f}", clustered_cell(one.wins)) for name, one in named.items()
    ]
    if strays.found:
        header = (*header, f"its answer is {stray}")
        cells = [clustered_cell(one.strays) for one in named.values()]
        rows = [(*row, cell) for row, cell in zip(rows, cells, strict=True)]
    text = "The share of attempts, not counting those taken back, that the model got wrong."
    text += f" {clustered_words((wins, 'writers'))}" if wins.of else ""
    plot = bars([clustered_bar(name, one.wins) for name, one in named.items()], "Model beaten", largest=1.0)

    def measures() -> Rows:
        return Rows([_share("attempts that beat the model", wins)])

    headline = cell(wins.share, percent) if wins.of else ""
    title = "How often the model was beaten"
    return Section(title, text, Table(header, rows), plot, measures=measures, headline=headline)


def _kept(checked: Checked) -> Section:
    rows = [
        (part, f"{kept.of:,.0f}", clustered_cell(kept), f"{checked.in_dataset.get(part, 0):,}")
        for part, kept in checked.kept.items()
    ]
    text = checked.text
    table = Table(("part", "decided", text.kept, "of these in the dataset"), rows)
    plot = bars([clustered_bar(part, kept) for part, kept in checked.kept.items()], text.title, largest=1.0)
    writers = Clustered.merged(checked.kept.values())
    with_sum, whole = _with_sum(checked.kept), _whole(checked.kept)

    def measures() -> Rows:
        return Rows([_share(part, kept) for part, kept in with_sum.items()])

    told = f"{text.meaning} {clustered_words((writers, 'writers'))}"
    return Section(text.title, told, table, plot, measures=measures, headline=cell(whole.share, percent))


def _share(name: str, of: Clustered) -> Share:
    """Return a share to be set beside those of other datasets."""
    return Share(name, round(of.found), round(of.of), of)


def _whole(kept: Mapping[str, Clustered]) -> Clustered:
    """Return the sum of train, dev and test: exclusive writers' works are in test, too."""
    return Clustered.merged(kept[part] for part in PART_NAMES if part in kept)


def _with_sum(kept: Mapping[str, Clustered]) -> dict[str, Clustered]:
    """Add the sum of train, dev and test, where there are several of them."""
    apart = [part for part in PART_NAMES if part in kept]
    return {**kept, **({" and ".join(apart): _whole(kept)} if len(apart) > 1 else {})}


def _human(checked: Checked, words: Words) -> Section:
    by_part = checked.human
    names = [figure.name for figure in next(iter(by_part.values()))]
    rows = [
        (part, f"{max(one.observations for one in figures):,}", *(one.text() for one in figures))
        for part, figures in by_part.items()
    ]
    drawn = [
        Bar(f"{part}, {one.name}", one.value, *(one.interval or (one.value, one.value)), f"{one.value:.1f}%")
        for part, figures in by_part.items()
        for one in figures
        if one.value is not None
    ]
    table = Table(("part", words.works, *(f"{name}, %" for name in names)), rows)
    plot = bars(drawn, "Human performance", largest=100.0)

    def measures() -> Rows:
        return Rows([replace(one, name=f"{part}, {one.name}") for part, of in by_part.items() for one in of])

    part, figures = [(part, by_part[part]) for part in PART_NAMES if part in by_part][-1]
    headline = ", ".join(f"{one.name} {one.value:.1f}%" for one in figures if one.value is not None)
    return Section(
        "Human performance",
        checked.text.performance,
        table,
        plot,
        measures=measures,
        headline=f"{part}: {headline}" if headline else "",
    )


def _asked(asked: VoteFigures, words: Words) -> Section:
    gold = asked.gold
    rows = [
        ("validators", f"{asked.validators:,}"),
        *([("of these, with votes that do not count", f"{asked.excluded:,}")] if asked.excluded else []),
        ("votes", f"{asked.votes:,}"),
        ("votes saved by stopping early", f"{asked.votes_saved:,}"),
        (
            f"{words.works} with known labels, voted right",
            f"{clustered_cell(gold)} of {gold.of:,.0f}" if gold.of else "–",
        ),
        *((one.name, one.text(2)) for one in asked.agreement),
    ]
    text = (
        f"Agreement is Krippendorff's alpha: 1 is perfect, 0 is chance; its 95% intervals are by a bootstrap of the "
        f"{words.works}. Shares of votes have theirs by a jackknife of the validators."
    )
    headline = f"{asked.votes:,} votes of {asked.validators:,} people"
    return Section("Validators", text, Table(("what", "figure"), rows), headline=headline)


def _writers(writers: Mapping[str, Writer], words: Words) -> Section:
    ranked = sorted(writers.items(), key=lambda one: (-one[1].wins, -one[1].hits, one[0]))
    rows = [
        (
            name,
            f"{one.wins:,}",
            _reviewed(one.reviewed_wins, one.wins),
            f"{one.hits:,}",
            _reviewed(one.reviewed, one.hits),
        )
        for name, one in ranked
    ]
    drawn = [
        Bar(name, one.wins, 0.0, one.reviewed_wins, f"{one.reviewed_wins:,} of {one.wins:,}")
        for name, one in ranked[:MOST_WRITERS]
    ]
    total = sum(one.wins for one in writers.values())
    most = f"; the writer with the most wrote {ranked[0][1].wins / total:.1%} of them" if total else ""
    text = (
        f"{words.works.capitalize()} that beat the model, of each of {len(writers):,} writers, under the pseudonyms of "
        f"the dataset, and how many of them are in HITs that a reviewer has judged{most}. In the plot these are the "
        "lines." + (f" It shows the first {MOST_WRITERS}." if len(ranked) > MOST_WRITERS else "")
    )
    header = ("writer", f"{words.works} that beat the model", "in reviewed HITs", "HITs", "reviewed")
    largest = max([1, *(one.wins for one in writers.values())])
    plot = bars(drawn, f"{words.works.capitalize()} by writer", largest=largest)
    return Section("Writers", text, Table(header, rows), plot, headline=f"{len(writers):,}")


def _reviewed(reviewed: int, total: int) -> str:
    return f"{reviewed:,} ({reviewed / total:.0%})" if total else f"{reviewed:,}"


def _discards(discards: Sequence[Discard], refused: int, checked: Checked | None) -> Section:
    shares = f", of “{checked.text.title}” and of the validators" if checked is not None and checked.kept else ""
    rows = [(one.worker, f"{one.hits:,}", f"{one.attempts:,}", f"{one.checked:,}", one.why) for one in discards]
    text = (
        "All work of these people is left out of the dataset, and of every figure but those of this section, of the "
        f"cost (what was earned stays paid){shares}."
    )
    if refused:
        text += f" Newcomers who were refused, without any work in the campaign: {refused:,}."
    header = ("worker", "writing HITs", "attempts", "validation HITs", "why")
    return Section("Discarded work", text, Table(header, rows), headline=f"of {len(discards):,} people")


def _uncounted(uncounted: Sequence[Uncounted]) -> Section:
    rows = [(one.what, f"{one.hits:,}", f"{one.attempts:,}", f"{one.decided:,}") for one in uncounted]
    text = (
        "HITs that are paid only if a person says so, and how many of them somebody has decided about. Of these the "
        "empty ones count as HITs, and nothing else is in the dataset."
    )
    table = Table(("HITs", "number", "attempts in them", "decided"), rows)
    return Section("Work that waits for a person", text, table)


def _time(seconds: Mapping[str, Sequence[float]]) -> Section:
    every = [one for of_writer in seconds.values() for one in of_writer]
    whole = [int(one) for one in every]
    mean = Clustered({writer: (sum(of_writer), len(of_writer)) for writer, of_writer in seconds.items()})
    width = bin_width(whole)
    counts = binned(whole, width)
    rows = [(bin_label(start, width), f"{counts[start]:,}") for start in sorted(counts)]
    text = (
        f"Mean {clustered_mean_cell(mean, 1)} seconds over {len(whole):,} HITs, from acceptance to submission, pauses "
        f"included. {clustered_words((mean, 'writers'))}"
    )
    plot = histogram(counts, "Time for a HIT: share of HITs by seconds", "seconds", width=width)
    table = Table(("seconds", "HITs"), rows)

    def measures() -> Distribution:
        return Distribution("seconds", every, [writer for writer, some in seconds.items() for _ in some])

    headline = f"mean {clustered_mean_cell(mean, 1)} s"
    return Section("Time for a HIT", text, table, plot, measures=measures, headline=headline)


def _cost(cost: Cost, words: Words) -> Section:
    written = _each(cost.writing_cents + cost.models_cents, cost.works)
    checked = _each(cost.validation_cents, cost.validated)
    asked = (
        [("charged by language models, at most", _amount(cost.models_cents, cost.unit))] if cost.models_cents else []
    )
    rows = [
        ("earned in the screening, with fees", _amount(cost.screening_cents, cost.unit)),
        ("earned by writers, with fees", _amount(cost.writing_cents, cost.unit)),
        ("earned by validators, with fees", _amount(cost.validation_cents, cost.unit)),
        *asked,
        (f"{words.works} in the dataset that beat the model", f"{cost.works:,}"),
        ("of these, validated", f"{cost.validated:,}"),
        (f"cost of a {words.work} that beat the model", _amount(written, cost.unit)),
    ]
    if written is not None and checked is not None:
        rows.append((f"cost of a validated {words.work}", _amount(written + checked, cost.unit)))
    earned = "writers earned and models charged" if asked else "writers earned"
    text = (
        f"Everything earned so far, paid or not. A {words.work} costs what {earned} for each that is in the dataset; a "
        "validated one also what validators earned for each that is valid."
    )
    *_, (what, amount) = rows
    return Section("Cost", text, Table(("what", "amount"), rows), headline=f"{what}: {amount}")


def _each(cents: int, works: int) -> float | None:
    return cents / works if works else None


def _amount(cents: float | None, unit: str) -> str:
    return "–" if cents is None else show(round(cents), unit)
