"""The error rates of the model, and the effort of a verified error, by round and genre.

After "Dataset statistics" of Nie et al. 2020. The unverified error rate is the share of attempts whose target the model
missed. The verified error rate is the share of attempts that other people confirmed to be model errors. It covers only
the parts of the dataset in which every error is checked. HITs with an open error are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from beat_the_ai.analysis.cells import (
    clustered_bar,
    clustered_cell,
    clustered_mean_cell,
    clustered_median_cell,
    clustered_words,
    mean,
)
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.analysis.rounds import Errors, by_hit
from beat_the_ai.kinds.nli.report.groups import Group, Marks, grouped
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section, Table

MEDIANS = "Medians have theirs by the shares of values below them (Woodruff 1952), where there are enough writers."
MEANS = ("tries, mean", "tries, median", "seconds, mean", "seconds, median")


@dataclass
class Effort:
    """Tries, and seconds from the acceptance of the HIT, with a figure for each error or HIT, and its writer."""

    tries: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    writers: list[str] = field(default_factory=list)

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """Return the cells of `MEANS`."""
        return (*self._cells(self.tries, 2), *self._cells(self.seconds, 1))

    def _cells(self, values: Sequence[float], digits: int) -> tuple[str, str]:
        mean = clustered_mean_cell(Clustered.of_values(values, self.writers), digits)
        return mean, clustered_median_cell(values, self.writers)

    @property
    def figures(self) -> dict[str, float | None]:
        return {
            "tries_mean": mean(self.tries),
            "tries_median": median(self.tries) if self.tries else None,
            "seconds_mean": mean(self.seconds),
            "seconds_median": median(self.seconds) if self.seconds else None,
        }


@dataclass
class ModelErrors(Errors):
    """The errors of one round and genre, and the premises of its attempts.

    Of the HITs whose tries are known, some `ran_out`, by writer: their last try did not beat the model either. The
    effort of `ended` HITs is that of those in which the model was beaten, or tries ran out.
    """

    premises: set[str] = field(default_factory=set)
    ran_out: Clustered = field(default_factory=Clustered)
    ended: Effort = field(default_factory=Effort)

    @property
    def of_verified(self) -> Effort:
        return Effort(self.tries, self.seconds, self.winners)

    def add_hit(self, hit: list[Trial]) -> None:
        """Add the attempts of one writer in one HIT."""
        self.add(hit)
        if hit[0].discarded:
            return
        self.premises.add(hit[0].context.id)
        last = max(hit, key=lambda trial: trial.ordinal)
        beaten = any(trial.fooled for trial in hit)
        if last.tries_left is not None:
            self.ran_out.add(last.writer, last.tries_left == 0 and not beaten)
        if beaten or last.tries_left == 0:
            self.ended.tries.append(last.ordinal)
            self.ended.seconds.append(last.seconds)
            self.ended.writers.append(last.writer)


def model_errors(trials: Iterable[Trial]) -> dict[Group, ModelErrors]:
    """Return the errors by round and genre, in the groups of `grouped`."""
    hits = by_hit(trials)
    marked = ((Marks(f"{hit[0].round}", hit[0].context.private["genre"], hit[0].exclusive), hit) for hit in hits)
    found = {}
    for group, some in grouped(marked).items():
        found[group] = errors = ModelErrors()
        for hit in some:
            errors.add_hit(hit)
    return found


def error_sections(trials: Iterable[Trial]) -> list[Section]:
    """Return the rates, and tries and seconds."""
    groups = model_errors(trials)
    return [_rates(groups), _of_hits(groups), _of_verified(groups)] if groups else []


def error_figures(trials: Iterable[Trial]) -> list[dict[str, Any]]:
    """Return the figures of both tables for programs."""
    return [
        {
            "round": group.round,
            "genre": group.name,
            "premises": len(errors.premises),
            "hypotheses": errors.attempts,
            "unverified_errors": errors.errors,
            "decided": errors.decided,
            "verified_errors": errors.verified,
            "hits": round(errors.ran_out.of),
            "hits_ran_out": round(errors.ran_out.found),
            "hits_ended": len(errors.ended.tries),
            "of_ended_hits": errors.ended.figures,
            "of_verified_errors": errors.of_verified.figures,
        }
        for group, errors in model_errors(trials).items()
    ]


def _rates(groups: Mapping[Group, ModelErrors]) -> Section:
    rows = [
        (
            *group.cells,
            f"{len(errors.premises):,}",
            f"{errors.attempts:,}",
            clustered_cell(errors.of_attempts),
            f"{errors.decided:,}",
            clustered_cell(errors.of_decided),
        )
        for group, errors in groups.items()
    ]
    writers = Clustered.merged(share for errors in groups.values() for share in errors.shares.values())
    text = (
        "Unverified: of all hypotheses, those that the model labelled otherwise than the writer was to. Verified: of "
        "the hypotheses in the parts that other people check, those that are model errors by their votes; until all "
        f"votes are there it is too low. {clustered_words((writers, 'writers'))}"
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
            clustered_bar(f"{group.label}, {name}", share)
            for group, errors in groups.items()
            for name, share in errors.shares.items()
        ],
        "Model error rate",
        largest=1.0,
    )
    return Section("Model errors", text, Table(header, rows), plot, "Dataset statistics")


def _intervals(efforts: Iterable[Effort]) -> str:
    """Say where the intervals of efforts come from."""
    writers = Clustered.merged(Clustered.of_values(effort.tries, effort.writers) for effort in efforts)
    return f"{clustered_words((writers, 'writers'))} {MEDIANS}"


def _of_hits(groups: Mapping[Group, ModelErrors]) -> Section:
    rows = [
        (
            *group.cells,
            f"{errors.ran_out.of:,.0f}",
            clustered_cell(errors.ran_out),
            f"{len(errors.ended.tries):,}",
            *errors.ended.cells,
        )
        for group, errors in groups.items()
    ]
    text = (
        "HITs whose number of tries is known, and those whose tries ran out before the model was beaten. Tries and "
        "time are those of the HITs that ended so or with a model error, whatever verifiers say of it, from the "
        f"acceptance of the HIT to its last hypothesis. {_intervals(errors.ended for errors in groups.values())}"
    )
    header = ("round", "genre", "HITs", "tries ran out", "ended", *MEANS)
    return Section("Tries and time of a HIT", text, Table(header, rows), source="Dataset statistics")


def _of_verified(groups: Mapping[Group, ModelErrors]) -> Section:
    rows = [(*group.cells, f"{len(errors.tries):,}", *errors.of_verified.cells) for group, errors in groups.items()]
    text = (
        "What a writer needed for a verified model error, from the acceptance of the HIT to the hypothesis that beat "
        "the model. HITs without one are not among them. "
        f"{_intervals(errors.of_verified for errors in groups.values())}"
    )
    header = ("round", "genre", "verified errors", *MEANS)
    title = "Tries and time for a verified model error"
    return Section(title, text, Table(header, rows), source="Dataset statistics")
