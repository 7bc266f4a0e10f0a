"""The course of a campaign: the model's error rates, unverified and verified, over the time in which people wrote.

The rates are those of the report (`analysis.rounds.Errors`), of the HITs that were submitted until then, with what
other people say of them by now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from beat_the_ai.analysis.rounds import Errors
from beat_the_ai.campaign.results.tried_hits import HitTrial, TriedHit
from beat_the_ai.statistics.clustered import Bounded

MOST_STEPS = 60
WIDTHS = [
    *(timedelta(minutes=minutes) for minutes in (1, 5, 15)),
    *(timedelta(hours=hours) for hours in (1, 6)),
    *(timedelta(days=days) for days in (1, 7, 28, 364)),
]
EPOCH_WEEKDAY = timedelta(days=3)  # steps of a week begin on Mondays: 1 January 1970 was a Thursday


@dataclass(frozen=True)
class Rate:
    """The number of attempts that beat the model, of so many, and the share with its interval over writers."""

    beaten: int
    attempts: int
    share: Bounded | None


Rates = Mapping[str, Rate]
"""The unverified and the verified rate, by name."""


@dataclass(frozen=True)
class Step:
    """The HITs that were submitted in a step of time, and all until its end."""

    began_at: datetime
    rates: Rates
    until_then: Rates


@dataclass(frozen=True)
class Course:
    """The steps that have HITs, each `width` long. `errors` are of the whole campaign."""

    width: timedelta
    steps: tuple[Step, ...]
    errors: Errors


def course_of(hits: Iterable[TriedHit]) -> Course:
    """Return the course of HITs that come in the order of their submission (`tried_hits`)."""
    return _course([(hit.submitted_at, hit.trials) for hit in hits])


def _course(dated: Sequence[tuple[datetime, Sequence[HitTrial]]]) -> Course:
    """Return the course of HITs that come in the order of their submission."""
    so_far = Errors()
    if not dated:
        return Course(WIDTHS[0], (), so_far)
    width = _width(dated[0][0], dated[-1][0])
    by_step: defaultdict[datetime, list[Sequence[HitTrial]]] = defaultdict(list)
    for at, hit in dated:
        by_step[_begin(at, width)].append(hit)
    steps = []
    for began_at, hits in by_step.items():
        of_step = Errors()
        for hit in hits:
            of_step.add(hit)
            so_far.add(hit)
        steps.append(Step(began_at, _rates(of_step), _rates(so_far)))
    return Course(width, tuple(steps), so_far)


def _rates(errors: Errors) -> Rates:
    return {name: Rate(round(share.found), round(share.of), share.bounded) for name, share in errors.shares.items()}


def _width(first: datetime, last: datetime) -> timedelta:
    """Return the least width with which there are few enough steps."""
    return next((width for width in WIDTHS if (last - first) / width < MOST_STEPS - 1), WIDTHS[-1])


def _begin(at: datetime, width: timedelta) -> datetime:
    epoch = datetime.fromtimestamp(0, at.tzinfo) - EPOCH_WEEKDAY
    return at - (at - epoch) % width
