"""The workers of a campaign in a table that can be sorted, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beat_the_ai.campaign.results.people import Person, people_of
from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.pages import page_of
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Words
from beat_the_ai.store import now
from beat_the_ai.workforce import Standing

Key = Callable[[views.Person], Any]

SORTS: Mapping[str, Key] = {  # None stands last, whichever way
    "name": lambda one: one.worker or one.name,
    "attempts": lambda one: one.attempts,
    "wins": lambda one: one.wins,
    "rate": lambda one: one.unverified.share,
    "verified": lambda one: one.verified.share,
    "minutes": lambda one: one.minutes_per_win,
    "pay": lambda one: one.hourly_cents,
    "standing": lambda one: one.standing,
    "seen": lambda one: one.last_seen_at,
}


@dataclass(frozen=True)
class KnownPeople:
    """Everybody, as they were `at` a moment."""

    at: datetime
    words: Words
    unit: str
    people: Sequence[views.Person]


def known_people(watched: Watched) -> KnownPeople:
    """Return everybody who has had a HIT of the campaign."""
    at, campaign = now(), watched.bound()
    people = [_person(each, pseudonym(each.worker, campaign.record)) for each in people_of(campaign)]
    return KnownPeople(at, campaign.kind.words, campaign.crowd.unit, people)


def people_page(
    known: KnownPeople, again_seconds: float | None, sort: str, page: int | None, *, has_ids: bool
) -> views.People:
    """Return a page of everybody, sorted by the name of a column; `-attempts` has the highest first.

    Without `has_ids` there are pseudonyms alone. Raises `InvalidInput`.
    """
    people = known.people if has_ids else [one.model_copy(update={"worker": None}) for one in known.people]
    shown = page_of(_sorted(people, sort or "-attempts"), page)
    return views.People(
        at=known.at,
        again_seconds=again_seconds,
        words=known.words,
        unit=known.unit,
        people=tuple(shown.rows),
        **shown.place,
    )


def _sorted(people: Sequence[views.Person], sort: str) -> list[views.Person]:
    name, is_down = sort.removeprefix("-"), sort.startswith("-")
    if name not in SORTS:
        raise InvalidInput(
            "sort", f"{sort[:40]!r} is no column. Known are: {', '.join(SORTS)}; - has the highest first."
        )
    key = SORTS[name]
    known = sorted((one for one in people if key(one) is not None), key=key, reverse=is_down)
    return [*known, *(one for one in people if key(one) is None)]


def _person(of: Person, name: str) -> views.Person:
    rates = of.errors.rates
    return views.Person(
        name=name,
        worker=of.worker,
        attempts=of.attempts,
        wins=of.errors.errors,
        unverified=views.Rate.counted(rates["unverified"]),
        verified=views.Rate.counted(rates["verified"]),
        minutes_per_win=of.minutes_per_win,
        hourly_cents=None if of.hourly is None else of.hourly.median_cents,
        standing=None if of.standing is None else Standing(of.standing),
        last_seen_at=of.last_seen_at,
    )
