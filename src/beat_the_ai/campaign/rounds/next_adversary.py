"""The choice among newly trained models for the next round, by paired comparisons on the same examples."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from beat_the_ai.campaign.models.scores import ModelScores
from beat_the_ai.campaign.rounds.snapshot import MODELS, frozen_rounds, gold_files
from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.importing import absolute
from beat_the_ai.statistics.significance import holm, sign_test
from beat_the_ai.terms.division import DEV
from beat_the_ai.terms.locate import ROUNDS, campaign_store, only_campaign

RECORD = "trained.json"  # beside the models of a round
SIGNIFICANT = 0.05
ON_DEV, ON_ORDINARY = "the development parts", "ordinary data"


@dataclass(frozen=True)
class Comparison:
    """Two models on the same examples: on how many each did better than the other; `p` is the sign test's, adjusted
    for how many models the first one is compared with.
    """

    one: str
    other: str
    on: str
    one_better: int
    other_better: int
    p: float

    @property
    def is_tie(self) -> bool:
        return self.p >= SIGNIFICANT


@dataclass(frozen=True)
class Choice:
    """The best model first, then those that no test tells apart from it, and the comparisons that show it."""

    models: Sequence[str]
    comparisons: Sequence[Comparison]


def next_adversary(out: Path, by: str | None = None) -> Choice:
    """Choose among the models that were trained after the last frozen round. Raises `InvalidInput` without any."""
    rounds, scores = frozen_rounds(out), ModelScores(out)
    last = rounds[-1].number
    candidates = trained_models(out, last)
    if not candidates:
        raise InvalidInput(
            "--out",
            f"No model was trained after round {last}. Train one: beat-the-ai round train --out {out}. Or name an "
            f"earlier adversary for the next round: beat-the-ai round open --out {out} \"adversary.members=['…']\".",
        )
    of_rounds = gold_files(rounds)
    measured = scores.table().get(candidates[0], {})
    golds = {
        ON_DEV: [name for name in of_rounds if name.endswith(f"/{DEV}")],
        ON_ORDINARY: [name for name in measured if name not in of_rounds],
    }
    return choose(scores, candidates, adversaries(out, last), golds if by is None else {by: [by]})


def trained_models(out: Path, number: int) -> list[str]:
    """Return the models that `round train` has trained after a round."""
    path = out / ROUNDS / str(number) / MODELS / RECORD
    named = json.loads(path.read_text(encoding="utf-8"))["models"] if path.is_file() else []
    return [f"{backend}:{out / source}" for backend, _, source in (name.rpartition(":") for name in named)]


def adversaries(out: Path, number: int | None = None) -> list[str]:
    """Return the models that a round is played against, or those of all rounds in their order."""
    with campaign_store(str(out)) as store:
        campaign = only_campaign(store)
    pools = [each.terms.adversary for each in campaign.rounds.values() if number in (None, each.record.number)]
    return [absolute(member, campaign.record.task_dir) for pool in pools if pool is not None for member in pool.members]


def choose(
    scores: ModelScores,
    candidates: Sequence[str],
    earlier: Sequence[str],
    golds: Mapping[str, Sequence[str]],
) -> Choice:
    """Compare the candidates on each group of `golds` in turn, and keep the best and its ties.

    The best is also compared with the `earlier` adversaries on ordinary data; they are never chosen. (The development
    part of a round has an accuracy of 0 for its own adversary, by the way it came about.) Raises `InvalidInput` for a
    model that was not measured on one of `golds`.
    """
    models, comparisons = list(candidates), list[Comparison]()
    for on, names in golds.items():
        if names:
            ranked = sorted(models, key=lambda model: -fmean(scores.marks(model, names)))
            found = _compared(scores, ranked[0], ranked[1:], on, names)
            models = [ranked[0], *(each.other for each in found if each.is_tie)]
            comparisons += found
    if golds.get(ON_ORDINARY):
        comparisons += _compared(scores, models[0], earlier, ON_ORDINARY, golds[ON_ORDINARY])
    return Choice(models, comparisons)


def _compared(
    scores: ModelScores, model: str, others: Sequence[str], on: str, golds: Sequence[str]
) -> list[Comparison]:
    marks = scores.marks(model, golds)
    pairs = {other: list(zip(marks, scores.marks(other, golds), strict=True)) for other in others}
    counts = {other: (sum(a > b for a, b in each), sum(a < b for a, b in each)) for other, each in pairs.items()}
    adjusted = holm({other: sign_test(*each) for other, each in counts.items()})
    return [Comparison(model, other, on, *counts[other], adjusted[other]) for other in others]
