"""Sections of a report on any campaign: the model, writers, time, money, and the votes of other people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from beat_the_ai.analysis.cells import bin_label, bin_width, binned, mean_cell, share_bar, share_cell
from beat_the_ai.analysis.drawings import Bar, bars, histogram
from beat_the_ai.rules.adjudication import VoteFigures
from beat_the_ai.rules.amounts import DOLLARS, show
from beat_the_ai.rules.checking import CheckingText
from beat_the_ai.rules.kind import Paper, Published, Topic, Words
from beat_the_ai.statistics.figure import Figure
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.store import Assignment, AttemptInCampaign

MOST_WRITERS = 40


@dataclass
class Beaten:
    """Attempts that were not taken back, how many of them beat the model, and to how many it had no proper answer."""

    judged: int = 0
    wins: int = 0
    strays: int = 0


@dataclass
class Writer:
    """The figures of one writer: submitted HITs, HITs that a reviewer has judged, and works that beat the model."""

    hits: int = 0
    reviewed: int = 0
    wins: int = 0


@dataclass(frozen=True)
class Checked:
    """The results of other people's votes, by part. `text` explains them.

    `kept` holds (kept, decided) works, before any writer is discarded for the votes on their work. `in_dataset` counts
    the kept works that are in the dataset. `human` is people's performance on these. `of_kind` holds sections of the
    kind of task about the votes.
    """

    text: CheckingText
    kept: Mapping[str, tuple[int, int]] = field(default_factory=dict)
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

    `checked` is None where nobody checks what is written. `stray` says what the models' strays are.
    """

    words: Words
    paper: Paper | None
    models: Mapping[str, Beaten]
    writers: Mapping[str, Writer]
    hit_seconds: Sequence[float]
    cost: Cost | None = None
    checked: Checked | None = None
    discards: Sequence[Discard] = ()
    refused: int = 0
    uncounted: Sequence[Uncounted] = ()
    stray: str = ""


@dataclass
class Observed:
    """Models by name, writers by worker id, and the seconds from acceptance to submission of each HIT."""

    models: dict[str, Beaten] = field(default_factory=lambda: defaultdict(Beaten))
    writers: dict[str, Writer] = field(default_factory=lambda: defaultdict(Writer))
    hit_seconds: list[float] = field(default_factory=list)

    def hit(self, submitted: Assignment, *, is_reviewed: bool) -> None:
        assert submitted.submitted_at is not None
        writer = self.writers[submitted.worker]
        writer.hits += 1
        writer.reviewed += is_reviewed
        self.hit_seconds.append((submitted.submitted_at - submitted.accepted_at).total_seconds())

    def attempt(self, row: AttemptInCampaign, *, is_stray: bool = False) -> None:
        """One that was not taken back."""
        self.writers[row.assignment.worker].wins += row.attempt.fooled
        beaten = self.models[row.attempt.model_name]
        beaten.judged += 1
        beaten.wins += row.attempt.fooled
        beaten.strays += is_stray


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
    judged, wins, strays = (sum(getattr(one, name) for one in models.values()) for name in ("judged", "wins", "strays"))
    named = {**models, "all": Beaten(judged, wins, strays)} if len(models) != 1 else models
    header: tuple[str, ...] = ("model", "attempts", "beaten")
    rows: list[tuple[str, ...]] = [
        (name, f"{one.judged:,}", share_cell(one.wins, one.judged)) for name, one in named.items()
    ]
    if strays:
        header = (*header, f"its answer is {stray}")
        cells = [share_cell(one.strays, one.judged) for one in named.values()]
        rows = [(*row, cell) for row, cell in zip(rows, cells, strict=True)]
    text = "The share of attempts, not counting those taken back, that the model got wrong, with 95% Wilson intervals."
    plot = bars([share_bar(name, one.wins, one.judged) for name, one in named.items()], "Model beaten", largest=1.0)
    return Section("How often the model was beaten", text, Table(header, rows), plot)


def _kept(checked: Checked) -> Section:
    rows = [
        (part, f"{decided:,}", share_cell(found, decided), f"{checked.in_dataset.get(part, 0):,}")
        for part, (found, decided) in checked.kept.items()
    ]
    text = checked.text
    table = Table(("part", "decided", text.kept, "of these in the dataset"), rows)
    plot = bars([share_bar(part, *pair) for part, pair in checked.kept.items()], text.title, largest=1.0)
    return Section(text.title, text.meaning, table, plot)


def _human(checked: Checked, words: Words) -> Section:
    by_part = checked.human
    names = [figure.name for figure in next(iter(by_part.values()))]
    rows = [
        (part, f"{max(one.observations for one in figures):,}", *(_figure_cell(one) for one in figures))
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
    return Section("Human performance", checked.text.performance, table, plot)


def _asked(asked: VoteFigures, words: Words) -> Section:
    right, gold = asked.gold
    rows = [
        ("validators", f"{asked.validators:,}"),
        *([("of these, with votes that do not count", f"{asked.excluded:,}")] if asked.excluded else []),
        ("votes", f"{asked.votes:,}"),
        ("votes saved by stopping early", f"{asked.votes_saved:,}"),
        (
            f"{words.works} with known labels, voted right",
            f"{share_cell(right, gold)} of {gold:,}" if gold else "–",
        ),
        *((one.name, "–" if one.value is None else f"{one.value:.2f}") for one in asked.agreement),
    ]
    text = "Agreement is Krippendorff's alpha: 1 is perfect, 0 is chance."
    return Section("Validators", text, Table(("what", "figure"), rows))


def _figure_cell(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    within = f" ({figure.interval[0]:.1f} to {figure.interval[1]:.1f})" if figure.interval else ""
    return f"{figure.value:.1f}{within}"


def _writers(writers: Mapping[str, Writer], words: Words) -> Section:
    ranked = sorted(writers.items(), key=lambda one: (-one[1].hits, -one[1].wins, one[0]))
    rows = [(name, f"{one.hits:,}", _reviewed_cell(one), f"{one.wins:,}") for name, one in ranked]
    drawn = [
        Bar(name, one.hits, one.hits, one.hits, f"{one.reviewed:,} of {one.hits:,}")
        for name, one in ranked[:MOST_WRITERS]
    ]
    total = sum(one.hits for one in writers.values())
    most = f"; the writer with the most wrote {ranked[0][1].hits / total:.1%} of them" if total else ""
    text = (
        f"HITs of each of {len(writers):,} writers, under the pseudonyms of the dataset, and how many of them were "
        f"reviewed{most}." + (f" The plot shows the first {MOST_WRITERS}." if len(ranked) > MOST_WRITERS else "")
    )
    table = Table(("writer", "HITs", "reviewed", f"{words.works} that beat the model"), rows)
    return Section("Writers", text, table, bars(drawn, "HITs by writer"))


def _reviewed_cell(writer: Writer) -> str:
    return f"{writer.reviewed:,} ({writer.reviewed / writer.hits:.0%})" if writer.hits else f"{writer.reviewed:,}"


def _discards(discards: Sequence[Discard], refused: int, checked: Checked | None) -> Section:
    shares = f", of “{checked.text.title}” and of the validators" if checked is not None and checked.kept else ""
    rows = [(one.worker, f"{one.hits:,}", f"{one.attempts:,}", f"{one.checked:,}", one.why) for one in discards]
    text = (
        "All work of these people is left out of the dataset, and of every figure but those of this section, of the "
        f"cost (what was earned stays paid){shares}."
    )
    if refused:
        text += f" Newcomers who were refused, without any work in the campaign: {refused:,}."
    return Section(
        "Discarded work", text, Table(("worker", "writing HITs", "attempts", "validation HITs", "why"), rows)
    )


def _uncounted(uncounted: Sequence[Uncounted]) -> Section:
    rows = [(one.what, f"{one.hits:,}", f"{one.attempts:,}", f"{one.decided:,}") for one in uncounted]
    text = (
        "HITs that are paid only if a person says so, and how many of them somebody has decided about. Of these the "
        "empty ones count as HITs, and nothing else is in the dataset."
    )
    table = Table(("HITs", "number", "attempts in them", "decided"), rows)
    return Section("Work that waits for a person", text, table)


def _time(seconds: Sequence[float]) -> Section:
    whole = [int(one) for one in seconds]
    width = bin_width(whole)
    counts = binned(whole, width)
    rows = [(bin_label(start, width), f"{counts[start]:,}") for start in sorted(counts)]
    text = (
        f"Mean {mean_cell(seconds, 1)} seconds over {len(seconds):,} HITs, with its 95% bootstrap interval, from "
        "acceptance to submission, pauses included."
    )
    plot = histogram(counts, "Time for a HIT: share of HITs by seconds", "seconds", width=width)
    return Section("Time for a HIT", text, Table(("seconds", "HITs"), rows), plot)


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
    return Section("Cost", text, Table(("what", "amount"), rows))


def _each(cents: int, works: int) -> float | None:
    return cents / works if works else None


def _amount(cents: float | None, unit: str) -> str:
    return "–" if cents is None else show(round(cents), unit)
