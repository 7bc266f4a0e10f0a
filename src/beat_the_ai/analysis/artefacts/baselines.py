"""Baselines that see a part of the input: trained on some examples, measured on others, beside chance and majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.analysis.artefacts.divisions import Division
from beat_the_ai.analysis.artefacts.findings import Measured
from beat_the_ai.rules.artefacts import Baseline, Choosing, Features, Guess, Naming
from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.jackknife import Scale, estimated
from beat_the_ai.statistics.softmax import fit

MOST_ANSWERS = 50  # that a baseline tells apart: the most frequent ones of its training part

Floats = NDArray[np.float64]
RIGHT, MAJORITY, CHANCE, TESTED = range(4)  # columns of sums


@dataclass(frozen=True)
class _Marks:
    """Marks of each guess, 0 to 1: of the model, of the most frequent answer, and of chance."""

    right: Sequence[float]
    majority: Sequence[float]
    chance: Sequence[float]


def measured(baseline: Baseline, divisions: Sequence[Division]) -> Measured | None:
    """Return the baseline's figures over all divisions; None where there is nothing to learn or to measure."""
    sums: dict[str, Floats] = {}
    trained = tested = draws = 0
    for division in divisions:
        training = [trace.guesses[baseline.name] for trace in division.train if baseline.name in trace.guesses]
        held = [trace for trace in division.test if baseline.name in trace.guesses]
        marks = _marks(training, [trace.guesses[baseline.name] for trace in held])
        if marks is None:
            continue
        for trace, *row in zip(held, marks.right, marks.majority, marks.chance, strict=True):
            sums.setdefault(trace.cluster, np.zeros(4))
            sums[trace.cluster] += (*row, 1.0)
        trained, tested, draws = trained + len(training), tested + len(held), draws + 1
    if not draws:
        return None
    clusters = np.stack(list(sums.values()))
    totals = clusters.sum(axis=0)
    better = MAJORITY if totals[MAJORITY] >= totals[CHANCE] else CHANCE

    def rate(column: int) -> Estimate:
        return _known(estimated(clusters[:, [column, TESTED]], Scale.SHARE))

    lead = np.stack([clusters[:, RIGHT] - clusters[:, better], clusters[:, TESTED]], axis=1)
    return Measured(
        baseline=baseline.name,
        trained=round(trained / draws),
        tested=round(tested / draws),
        draws=draws,
        accuracy=rate(RIGHT),
        majority=rate(MAJORITY),
        chance=rate(CHANCE),
        lead=_known(estimated(lead, Scale.DIFFERENCE)),
        expected=baseline.expected,
    )


def _known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None, "some example is measured"
    return estimate


def _marks(training: Sequence[Guess], held: Sequence[Guess]) -> _Marks | None:
    named, held_named = ([each for each in guesses if isinstance(each, Naming)] for guesses in (training, held))
    if named and held_named:
        return _named(named, held_named)
    chosen, held_chosen = ([each for each in guesses if isinstance(each, Choosing)] for guesses in (training, held))
    return _chosen(chosen, held_chosen) if chosen and held_chosen else None


def _named(training: Sequence[Naming], held: Sequence[Naming]) -> _Marks:
    """Return the marks of guesses of an answer. The most frequent answers are classes; others teach nothing."""
    counts = Counter(guess.answer for guess in training)
    answers = [answer for answer, _ in counts.most_common(MOST_ANSWERS)]
    numbers = {answer: number for number, answer in enumerate(answers)}
    rows = Counter((guess.features, numbers[guess.answer]) for guess in training if guess.answer in numbers)
    model = fit([features for features, _ in rows], [number for _, number in rows], list(rows.values()))
    best = model.scores([guess.features for guess in held]).argmax(axis=1)
    right = [float(guess.answer == answers[number]) for guess, number in zip(held, best, strict=True)]
    return _Marks(right, [float(guess.answer == answers[0]) for guess in held], [1 / len(counts)] * len(held))


def _chosen(training: Sequence[Choosing], held: Sequence[Choosing]) -> _Marks:
    """Return the marks of guesses among options. Each is a row, right or wrong; the most probable one is the guess."""
    rows: Counter[tuple[Features, int]] = Counter()
    for guess in training:
        rows.update((option, int(number == guess.right)) for number, option in enumerate(guess.options))
    model = fit([features for features, _ in rows], [number for _, number in rows], list(rows.values()))
    options = list({option: None for guess in held for option in guess.options})
    scores = model.scores(options)
    leads = dict(zip(options, scores[:, -1] - scores[:, 0], strict=True))
    [(most, _)] = Counter(guess.right for guess in training).most_common(1)
    return _Marks(
        [float(_best([leads[option] for option in guess.options]) == guess.right) for guess in held],
        [float(min(most, len(guess.options) - 1) == guess.right) for guess in held],
        [1 / len(guess.options) for guess in held],
    )


def _best(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)
