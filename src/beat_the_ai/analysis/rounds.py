"""Sections of a report that compare a campaign's rounds: is a later model harder to beat than the first?

After "Dataset statistics" of Nie et al. 2020. The unverified error rate is the share of attempts that beat the model.
The verified error rate is the share of attempts that other people confirmed. It covers only the parts of the dataset in
which every attempt that beat the model is checked. HITs with an open outcome are left out. It is taken before writers
are discarded for the votes on their work; the other figures are without these writers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from beat_the_ai.analysis.cells import clustered_bar, clustered_cell, clustered_words
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Estimate, points
from beat_the_ai.statistics.section import Section, Table

BESIDE_EACH_OTHER = "Is a later model harder to beat?"
Counted = tuple[int, int]
"""So many, of so many."""


class Tried(Protocol):
    """The fields of a `Trial` that error rates take."""

    @property
    def ordinal(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def fooled(self) -> bool: ...

    @property
    def confirmed(self) -> bool | None: ...

    @property
    def is_checked(self) -> bool: ...

    @property
    def discarded(self) -> bool: ...

    @property
    def writer(self) -> str: ...


@dataclass
class Errors:
    """Attempts by writer, and how many of them beat the model; of the `decided` ones, how many verifiably did.

    Discarded trials are in the latter alone. `tries` and `seconds` have a figure for each verified error, up to it, and
    `winners` its writer.
    """

    of_attempts: Clustered = field(default_factory=Clustered)
    of_decided: Clustered = field(default_factory=Clustered)
    tries: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    winners: list[str] = field(default_factory=list)

    def add(self, hit: Sequence[Tried]) -> bool:
        """Add the attempts of one writer in one HIT. Return whether they are decided."""
        decided = is_decided(hit)
        self.count(hit, decided=decided)
        return decided

    def count(self, trials: Sequence[Tried], *, decided: bool) -> None:
        """Count some attempts of one writer in a HIT that is decided or not."""
        if not trials[0].discarded:
            self.of_attempts.add(trials[0].writer, sum(trial.fooled for trial in trials), len(trials))
        if decided:
            verified = [trial for trial in trials if trial.fooled and trial.confirmed]
            self.of_decided.add(trials[0].writer, len(verified), len(trials))
            self.tries += [trial.ordinal for trial in verified]
            self.seconds += [trial.seconds for trial in verified]
            self.winners += [trial.writer for trial in verified]

    @property
    def attempts(self) -> int:
        return round(self.of_attempts.of)

    @property
    def errors(self) -> int:
        return round(self.of_attempts.found)

    @property
    def decided(self) -> int:
        return round(self.of_decided.of)

    @property
    def verified(self) -> int:
        return round(self.of_decided.found)

    @property
    def rates(self) -> Mapping[str, Counted]:
        return {"unverified": (self.errors, self.attempts), "verified": (self.verified, self.decided)}

    @property
    def shares(self) -> Mapping[str, Clustered]:
        """Return the rates by writer."""
        return {"unverified": self.of_attempts, "verified": self.of_decided}


def is_decided(hit: Sequence[Tried]) -> bool:
    """Return whether others check a HIT of this part, and have decided on each attempt in it that beat the model."""
    return hit[0].is_checked and not any(trial.fooled and trial.confirmed is None for trial in hit)


def by_hit(trials: Iterable[Trial]) -> list[list[Trial]]:
    hits: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        hits[trial.assignment].append(trial)
    return list(hits.values())


def rounds_section(trials: Iterable[Trial], models: Mapping[int, str]) -> Section:
    """Return model error rates while people wrote. `models` names the opponents of each round, in their order."""
    errors = {number: Errors() for number in models}
    for hit in by_hit(trials):
        errors[hit[0].round].add(hit)
    writers = Clustered.merged(share for each in errors.values() for share in each.shares.values())
    opening, first = next(iter(errors.items()))
    rows, sentences = [], list[str]()
    for number, each in errors.items():
        compared = None if each is first else first
        rows.append([f"{number}", models[number], *_cells(each, compared)])
        if number != opening and models[number] == models[opening]:
            sentences.append(f"Round {number} was played against the same model as the first.")
        elif compared is not None:
            sentences += _sentences(f"the model of round {number}, {models[number]},", each, compared)
    header = ["round", "model"]
    for name in first.rates:
        header += [f"model error rate, {name}", "less the first round's"]
    plot = bars(
        [
            clustered_bar(f"R{number}, {name}", share)
            for number, each in errors.items()
            for name, share in each.shares.items()
        ],
        "Model error rate by round",
        largest=1.0,
    )
    text = (
        "The share of attempts that beat the model while people wrote, and how much that differs from the first round. "
        "The verified rate includes writers whose work is discarded for what others say of it. "
        f"{clustered_words((writers, 'writers'))} For a difference the writers of each round are drawn on their own; "
        "each round has contexts of its own, and terms that may be its own."
    )
    return Section(BESIDE_EACH_OTHER, " ".join([*sentences, text]), Table(header, rows), plot, "Dataset statistics")


def _cells(errors: Errors, first: Errors | None) -> list[str]:
    cells = []
    for name, share in errors.shares.items():
        less = None if first is None else share.less(first.shares[name])
        cells += [clustered_cell(share), "–" if less is None else _points(less)]
    return cells


def _points(less: Estimate) -> str:
    return less.text(points, " points")


def _sentences(subject: str, errors: Errors, first: Errors) -> list[str]:
    """Return a sentence for each rate that both rounds have."""
    found = []
    for name, share in errors.shares.items():
        less = share.less(first.shares[name])
        if less is not None:
            low, high = less.interval or (0.0, 0.0)
            verdict = "is not shown to be harder or easier to beat"
            if high < 0 or low > 0:
                verdict = f"is {'harder' if high < 0 else 'easier'} to beat"
            found.append(f"By the {name} rate {subject} {verdict} than that of the first: {_points(less)}.")
    return found
