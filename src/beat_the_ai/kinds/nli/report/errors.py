"""The error rates of the model, and the effort of a verified error, by round and genre.

After "Dataset statistics" of Nie et al. 2020. The unverified error rate is the share of attempts whose target the model
missed. The verified error rate is the share of attempts that other people confirmed to be model errors. It covers only
the parts of the dataset in which every error is checked. HITs with an open error are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from beat_the_ai.analysis.cells import mean_cell, share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.analysis.rounds import Errors, by_hit
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.statistics.section import Section, Table

ALL_GENRES = "all genres"
EXCLUSIVE_WRITERS = "exclusive writers"  # whose work is in the test part alone ("Results")
LAST = (ALL_GENRES, EXCLUSIVE_WRITERS)
Group = tuple[int, str]  # round, genre


@dataclass
class ModelErrors(Errors):
    """The errors of one round and genre, and their premises."""

    premises: set[str] = field(default_factory=set)


def model_errors(trials: Iterable[Trial]) -> dict[Group, ModelErrors]:
    """Return the errors by round and genre.

    A round with several genres also has a group of all genres, behind them. A group of exclusive writers follows.
    """
    found: dict[Group, ModelErrors] = defaultdict(ModelErrors)
    for hit in by_hit(trials):
        genre = hit[0].context.private["genre"]
        for name in (genre, ALL_GENRES, *([EXCLUSIVE_WRITERS] if hit[0].exclusive else [])):
            of_group = found[hit[0].round, name]
            of_group.add(hit)
            of_group.premises.add(hit[0].context.id)
    genres = Counter(number for number, name in found if name not in LAST)
    shown = [group for group in found if group[1] != ALL_GENRES or genres[group[0]] > 1]
    return {group: found[group] for group in sorted(shown, key=_place)}


def _place(group: Group) -> tuple[int, int, str]:
    number, name = group
    return number, LAST.index(name) if name in LAST else -1, name


def error_sections(trials: Iterable[Trial]) -> list[Section]:
    """The rates, and tries and seconds."""
    groups = model_errors(trials)
    return [_rates(groups), _effort(groups)] if groups else []


def _rates(groups: dict[Group, ModelErrors]) -> Section:
    rows = [
        (
            *_names(group),
            f"{len(errors.premises):,}",
            f"{errors.attempts:,}",
            share_cell(errors.errors, errors.attempts),
            f"{errors.decided:,}",
            share_cell(errors.verified, errors.decided),
        )
        for group, errors in groups.items()
    ]
    text = (
        "Unverified: of all hypotheses, those that the model labelled otherwise than the writer was to. Verified: of "
        "the hypotheses in the parts that other people check, those that are model errors by their votes; until all "
        "votes are there it is too low. With 95% Wilson intervals."
    )
    header = (
        "round",
        "genre",
        "premises",
        "hypotheses",
        "model error rate, unverified",
        "decided",
        "model error rate, verified",
    )
    plot = bars(
        [
            share_bar(f"{_label(group)}, {name}", *counts)
            for group, errors in groups.items()
            for name, counts in (
                ("unverified", (errors.errors, errors.attempts)),
                ("verified", (errors.verified, errors.decided)),
            )
        ],
        "Model error rate",
        largest=1.0,
    )
    return Section("Model errors", text, Table(header, rows), plot, "Dataset statistics")


def _effort(groups: dict[Group, ModelErrors]) -> Section:
    rows = [
        (
            *_names(group),
            f"{len(errors.tries):,}",
            mean_cell(errors.tries),
            _median_cell(errors.tries),
            mean_cell(errors.seconds, 1),
            _median_cell(errors.seconds),
        )
        for group, errors in groups.items()
    ]
    text = (
        "What a writer needed for a verified model error, from the acceptance of the HIT to the hypothesis that beat "
        "the model; means with their 95% bootstrap intervals. HITs that a writer gave up are not among them."
    )
    header = ("round", "genre", "verified errors", "tries, mean", "tries, median", "seconds, mean", "seconds, median")
    return Section("Tries and time for a verified model error", text, Table(header, rows), source="Dataset statistics")


def _names(group: Group) -> tuple[str, str]:
    number, genre = group
    return f"{number}", genre.replace("_", " ")


def _label(group: Group) -> str:
    number, genre = _names(group)
    return f"R{number}, {genre}"


def _median_cell(values: Sequence[float]) -> str:
    return f"{median(values):.1f}" if values else "–"
