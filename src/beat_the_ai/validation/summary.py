"""The figures of a campaign's validation, in one record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from beat_the_ai.statistics.figure import Figure
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import Snapshot
from beat_the_ai.validation.results import Outcome, discarded_writers, judged, results, retained
from beat_the_ai.validation.rulings import Rulings
from beat_the_ai.validation.validators import ValidatorRecord, validators


@dataclass(frozen=True)
class Summary:
    """Shares are 0 to 1; intervals are 95%.

    Of the `settled` works `kept` have a status that is kept; `kept_share` is the paper's answerability.
    `votes_saved` counts the votes that settled works were spared by an adaptive stop. `agreement` is among those
    who vote.
    """

    works: int
    statuses: dict[str, int]
    settled: int
    kept: int
    kept_share: float | None
    kept_interval: tuple[float, float]
    votes: int
    votes_saved: int
    discarded_writers: frozenset[str]
    retained: int
    agreement: tuple[Figure, ...]
    validators: tuple[ValidatorRecord, ...]


def summary(
    snapshot: Snapshot,
    rulings: Rulings,
    *,
    adaptive: bool = False,
    without: AbstractSet[str] = frozenset(),
) -> Summary:
    """The figures as they are now; `adaptive` as in the terms of the votes, `without` as in `results`."""
    found = results(snapshot, rulings, without)
    every = list(found.values())
    kept = retained(found, rulings)
    settled = [each for each in every if each.settled]
    good = sum(each.kept for each in settled)
    return Summary(
        works=len(every),
        statuses=dict(sorted(Counter(each.status for each in every).items())),
        settled=len(settled),
        kept=good,
        kept_share=good / len(settled) if settled else None,
        kept_interval=wilson(good, len(settled)),
        votes=sum(len(each.votes) for each in every),
        votes_saved=votes_saved(every) if adaptive else 0,
        discarded_writers=frozenset(discarded_writers(every, rulings)),
        retained=len(kept),
        agreement=tuple(rulings[max(rulings)].agreement(judged(every))),
        validators=tuple(validators(snapshot.placed, rulings)),
    )


def votes_saved(validated: list[Outcome]) -> int:
    """Votes that were never asked for because the status could not change any more."""
    return sum(each.votes_needed for each in validated if each.settled)
