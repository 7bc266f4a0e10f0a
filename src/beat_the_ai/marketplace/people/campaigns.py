"""The places of the campaigns in which these people work, noted at each launch so that a person can be erased."""

from __future__ import annotations

from collections import defaultdict

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import assignments, campaign_places, hits


def keep(moment: Moment, prefix: str, place: str) -> None:
    """Note a place of the campaign whose HITs have annotations with this prefix: it may have several."""
    row = {"prefix": prefix, "place": place}
    if moment.connection.execute(sa.select(campaign_places.c.at).filter_by(**row)).first() is None:
        moment.connection.execute(sa.insert(campaign_places).values(**row, at=moment.now))


def move(moment: Moment, before: str, place: str) -> None:
    """Note that what lay at one place lies at another."""
    moment.connection.execute(sa.update(campaign_places).filter_by(place=before).values(place=place))


def add_copy(moment: Moment, original: str, place: str) -> None:
    """Note that what lies at one place lies at another, too."""
    prefixes = moment.connection.scalars(sa.select(campaign_places.c.prefix).filter_by(place=original)).all()
    for prefix in prefixes:
        keep(moment, prefix, place)


def places(moment: Moment) -> dict[str, list[str]]:
    """Return the places of each campaign by the prefix of its annotations, the newest first."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in moment.connection.execute(
        sa.select(campaign_places).order_by(campaign_places.c.at.desc(), campaign_places.c.place)
    ):
        found[row.prefix].append(row.place)
    return dict(found)


def annotations_of(moment: Moment, worker_id: str) -> set[str]:
    """Return the annotations of the HITs that a worker ever accepted."""
    query = sa.select(hits.c.annotation).join(assignments, assignments.c.hit_id == hits.c.id)
    of_worker = query.where(assignments.c.worker_id == worker_id, hits.c.annotation.is_not(None)).distinct()
    return set(moment.connection.scalars(of_worker))
