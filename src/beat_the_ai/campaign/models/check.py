"""Results of `adversary check` before a campaign: how good a model is, and how many wins need no effort.

A campaign asks for works that beat the model. While ordinary questions beat it, a win is not yet hard, whatever the
paper says.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import TypeAdapter

from beat_the_ai.adversary.answers import answered, predictions_of
from beat_the_ai.adversary.budget import check_covered
from beat_the_ai.adversary.kept import KeptModel
from beat_the_ai.adversary.protocol import Adversary, ModelIdentity
from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.files.datasets import sha256_of
from beat_the_ai.files.kept import KeptFile
from beat_the_ai.rules.corpora import Corpora
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.kind import Writing, strays_among
from beat_the_ai.rules.protocol import Value
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.intervals import Interval
from beat_the_ai.terms.round import PublishedSettings

TIMED = 50
TOLERATED_POINTS = 1.0  # between a score that was published and one that is measured on the same file


@dataclass(frozen=True)
class ModelCheck:
    """The result of one check: `beaten` of `asked` ordinary works beat the model; `figures` are those of `evaluate`.

    `interval` is the 95% interval of the share that beat it, over contexts where works share them; None where there is
    none. `strays` are the nature and the number of its stray answers; None where there are none. `unanswered` queries
    got no readable answer, or none in time. In the figures these are wrong, and they beat nobody. `gold` names the file
    and `gold_sha256` its content. The seconds are of `TIMED` queries, one after the other.
    """

    model: ModelIdentity
    gold: str
    gold_sha256: str
    figures: Mapping[str, float]
    asked: int
    beaten: int
    median_seconds: float
    slowest_seconds: float
    strays: tuple[str, int] | None = None
    unanswered: int = 0
    interval: Interval | None = None

    @property
    def held_percent(self) -> float:
        """Return the percentage of ordinary works that do not beat the model."""
        return 100 * (1 - self.beaten / self.asked)

    @property
    def held(self) -> dict[str, float]:
        """Return the percentage under its name, and the ends of its interval under NAME_low and NAME_high."""
        found = {"held_percent": self.held_percent}
        if self.interval is not None:
            high, low = (100 * (1 - end) for end in self.interval)
            found |= {"held_percent_low": low, "held_percent_high": high}
        return found

    @property
    def free_wins(self) -> str:
        ends = None if self.interval is None else [f"{100 * end:.1f}" for end in self.interval]
        within = "" if ends is None else f"95% interval {' to '.join(ends)}; "
        return f"{100 - self.held_percent:.0f} of a hundred ({within}{self.beaten:,} of {self.asked:,})"


def check_model(
    model: Adversary[Any, Any],
    writing: Writing[Any, Any, Any],
    evaluation: Evaluation,
    corpora: Corpora,
    gold: Path,
) -> tuple[ModelCheck, Breakdown]:
    """Ask the model all that is in a file with answers, with progress on stderr; no query is asked twice.

    Raises `InvalidInput` for a file without ordinary works, `Refused` where a budget is too small for it, and
    `AdversaryError` when the model fails.
    """
    ordinary = [each for each in corpora.works(gold) if each.is_plain]
    if not ordinary:
        raise InvalidInput("GOLD", f"{gold} holds nothing ordinary with an answer. Name a file that does.")
    measured = evaluation.queries(gold)
    queries = [query for _, query in measured] + [writing.query(each.work, each.task_item) for each in ordinary]
    distinct = {_key(query): query for query in queries}
    check_covered(model, list(distinct.values()))
    timed, rest = list(distinct.values())[:TIMED], list(distinct.values())[TIMED:]
    predictions, seconds = _timed(model, timed)
    said = dict(zip(distinct, [*predictions, *predictions_of(model, rest)], strict=True))
    answers = {name: evaluation.answer(found) for name, query in measured if (found := said[_key(query)]) is not None}
    scores = Breakdown(evaluation.measured(gold, answers))
    beaten = Clustered()
    for each, query in zip(ordinary, queries[len(measured) :], strict=True):
        if (found := said[_key(query)]) is not None:
            fooled = writing.judge(each.work, found, each.task_item).fooled
            beaten.add(each.cluster or each.id, fooled)
    if beaten.share is None:
        raise AdversaryError("The model has answered nothing in time and in a way that can be read.")
    known = [prediction for prediction in said.values() if prediction is not None]
    check = ModelCheck(
        model.identity,
        gold.name,
        sha256_of(gold, "GOLD"),
        scores.figures,
        round(beaten.of),
        round(beaten.found),
        round(median(seconds), 4),
        round(max(seconds), 4),
        strays_among(writing, (prediction.model_dump() for prediction in known)),
        len(said) - len(known),
        beaten.share.interval,
    )
    return check, scores


def _key(query: Value) -> str:
    return query.model_dump_json()


def _timed(model: Adversary[Any, Any], queries: Sequence[Value]) -> tuple[list[Any], list[float]]:
    """Return predictions, as `predictions_of` has them, and the seconds that each took."""
    predictions: list[Any] = []
    seconds: list[float] = []
    begun = time.perf_counter()
    for _, prediction in answered(model, ([query] for query in queries), lambda query: query):
        predictions += prediction
        seconds.append(model.seconds if isinstance(model, KeptModel) else time.perf_counter() - begun)
        begun = time.perf_counter()
    return predictions, seconds


def check_published(check: ModelCheck, published: PublishedSettings) -> None:
    """Raises `Refused` for a model that has other scores on the file on which they were published."""
    if check.gold_sha256 != published.gold_sha256:
        return
    off = [
        f"{name} is {check.figures[name]:.2f} and not {value:g}"
        for name, value in published.scores.items()
        if abs(check.figures[name] - value) > TOLERATED_POINTS
    ]
    if off:
        raise Refused(
            f"This is not the model that was published: {', '.join(off)}, on the same file. Find out why before people "
            "are paid to beat it: other weights, another precision, or a broken installation."
        )


KEPT = KeptFile(
    "model_checks.json", TypeAdapter(dict[str, ModelCheck]), "checks", "Remove it, and run `adversary check` again."
)


def keep_check(out: Path, spec: str, check: ModelCheck) -> None:
    """Keep a check for the launch of the campaign in `out`, by the name of the model in its settings."""
    KEPT.write(out, {**kept_checks(out), spec: check})


def kept_checks(out: Path) -> dict[str, ModelCheck]:
    """Return the checks by model. Raises `InvalidInput` for a file that cannot be read."""
    return KEPT.read(out) or {}
