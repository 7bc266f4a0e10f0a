"""The directory of people, page by page, and how many there are of each state."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from beat_the_ai.errors import UnknownName
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import ORDER, Person, check_group, matching, read_people
from beat_the_ai.marketplace.tables import people


@dataclass(frozen=True)
class DirectoryPage:
    """Some people in the order in which they were added, and how many more come after them."""

    people: list[Person]
    left: int


def page(
    moment: Moment,
    most: int,
    *,
    after: str | None = None,
    group: str | None = None,
    state: str | None = None,
    words: str = "",
) -> DirectoryPage:
    """Return the people behind the one with the worker id `after`, with which the page before ended.

    Raises `UnknownName` for a group or an `after` that is nobody's.
    """
    check_group(moment, group)
    chosen = matching(group, state, words)
    if after is not None:
        chosen.append(_behind(moment, after))
    total = moment.connection.scalars(sa.select(sa.func.count()).select_from(people).where(*chosen)).one()
    found = read_people(moment, *chosen, limit=most)
    return DirectoryPage(found, total - len(found))


def _behind(moment: Moment, worker_id: str) -> sa.ColumnElement[bool]:
    row = moment.connection.execute(sa.select(*ORDER).where(people.c.worker_id == worker_id)).one_or_none()
    if row is None:
        raise UnknownName("worker", worker_id, [])
    added_at, name, _ = row
    by_time, by_name, by_id = ORDER
    return sa.or_(
        by_time > added_at,
        sa.and_(by_time == added_at, by_name > name),
        sa.and_(by_time == added_at, by_name == name, by_id > worker_id),
    )


def states(moment: Moment) -> dict[str, int]:
    """Return the number of people in each state."""
    query = sa.select(people.c.state, sa.func.count()).group_by(people.c.state)
    return {row.state: row[1] for row in moment.connection.execute(query)}
