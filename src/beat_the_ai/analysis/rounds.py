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

from beat_the_ai.analysis.cells import share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.statistics.intervals import newcombe
from beat_the_ai.statistics.section import Section, Table

BESIDE_EACH_OTHER = "Is a later model harder to beat?"
Rate = tuple[int, int]  # how many beat the model, of how many


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


@dataclass
class Errors:
    """Attempts, and how many of them beat the model; of the `decided` ones, how many verifiably did.

    Discarded trials are in `decided` and `verified` alone. `tries` and `seconds` have a figure for each verified error,
    up to it.
    """

    attempts: int = 0
    errors: int = 0
    decided: int = 0
    verified: int = 0
    tries: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, hit: Sequence[Tried]) -> bool:
        """The attempts of one writer in one HIT. Returns whether they are decided."""
        decided = is_decided(hit)
        self.count(hit, decided=decided)
        return decided

    def count(self, trials: Sequence[Tried], *, decided: bool) -> None:
        """Count some attempts of one writer in a HIT that is decided or not."""
        if not trials[0].discarded:
            self.attempts += len(trials)
            self.errors += sum(trial.fooled for trial in trials)
        if decided:
            self.decided += len(trials)
            verified = [trial for trial in trials if trial.fooled and trial.confirmed]
            self.verified += len(verified)
            self.tries += [trial.ordinal for trial in verified]
            self.seconds += [trial.seconds for trial in verified]

    @property
    def rates(self) -> Mapping[str, Rate]:
        return {"unverified": (self.errors, self.attempts), "verified": (self.verified, self.decided)}


def is_decided(hit: Sequence[Tried]) -> bool:
    """Return whether others check a HIT of this part, and have decided on each attempt in it that beat the model."""
    return hit[0].is_checked and not any(trial.fooled and trial.confirmed is None for trial in hit)


def by_hit(trials: Iterable[Trial]) -> list[list[Trial]]:
    hits: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        hits[trial.assignment].append(trial)
    return list(hits.values())


def rounds_section(trials: Iterable[Trial], models: Mapping[int, str]) -> Section:
    """Model error rates while people wrote. `models` tells against what each round was played, in their order."""
    errors = {number: Errors() for number in models}
    for hit in by_hit(trials):
        errors[hit[0].round].add(hit)
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
            share_bar(f"R{number}, {name}", *rate)
            for number, each in errors.items()
            for name, rate in each.rates.items()
        ],
        "Model error rate by round",
        largest=1.0,
    )
    text = (
        "The share of attempts that beat the model while people wrote, with 95% Wilson intervals, and how much that "
        "differs from the first round, with Newcombe's. The verified rate includes writers whose work is discarded for "
        "what others say of it. Attempts are taken for independent; each round has contexts of its own, and terms that "
        "may be its own."
    )
    return Section(BESIDE_EACH_OTHER, " ".join([*sentences, text]), Table(header, rows), plot, "Dataset statistics")


def _cells(errors: Errors, first: Errors | None) -> list[str]:
    cells = []
    for name, rate in errors.rates.items():
        compared = first is not None and bool(rate[1] and first.rates[name][1])
        cells += [share_cell(*rate), _points(rate, first.rates[name]) if first is not None and compared else "–"]
    return cells


def _points(rate: Rate, first: Rate) -> str:
    low, high = newcombe(rate, first)
    difference = rate[0] / rate[1] - first[0] / first[1]
    return f"{_signed(difference)} points ({_signed(low)} to {_signed(high)})"


def _signed(share: float) -> str:
    """In percent, with a minus sign that is no hyphen."""
    return f"{100 * share:+.1f}".replace("-", "−")


def _sentences(subject: str, errors: Errors, first: Errors) -> list[str]:
    """One for each rate that both rounds have."""
    found = []
    for name, rate in errors.rates.items():
        before = first.rates[name]
        if rate[1] and before[1]:
            low, high = newcombe(rate, before)
            verdict = "is not shown to be harder or easier to beat"
            if high < 0 or low > 0:
                verdict = f"is {'harder' if high < 0 else 'easier'} to beat"
            found.append(f"By the {name} rate {subject} {verdict} than that of the first: {_points(rate, before)}.")
    return found
