"""The campaigns in which these people work, as each launch notes them.

Their places are there so that a person can be erased, their notices for a person who withdraws.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import assignments, campaign_places, debriefings, hits


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


def keep_debriefing(moment: Moment, prefix: str, notices: Sequence[Mapping[str, Any]]) -> None:
    """Keep the notices of a campaign for whoever withdraws, in place of earlier ones."""
    moment.connection.execute(sa.delete(debriefings).filter_by(prefix=prefix))
    if notices:
        moment.connection.execute(sa.insert(debriefings).values(prefix=prefix, notices=list(notices)))


def debriefing_of(moment: Moment, worker_id: str) -> list[Mapping[str, Any]]:
    """Return the notices of the campaigns in which a worker has submitted a HIT."""
    submitted = assignments.c.submitted_at.is_not(None)
    annotations = moment.connection.scalars(_annotations(worker_id).where(submitted)).all()
    kept = moment.connection.execute(sa.select(debriefings).order_by(debriefings.c.prefix)).all()
    return [
        notice
        for row in kept
        if any(annotation.startswith(row.prefix) for annotation in annotations)
        for notice in row.notices
    ]


def annotations_of(moment: Moment, worker_id: str) -> set[str]:
    """Return the annotations of the HITs that a worker ever accepted."""
    return set(moment.connection.scalars(_annotations(worker_id)))


def _annotations(worker_id: str) -> sa.Select[Any]:
    query = sa.select(hits.c.annotation).join(assignments, assignments.c.hit_id == hits.c.id)
    return query.where(assignments.c.worker_id == worker_id, hits.c.annotation.is_not(None)).distinct()
