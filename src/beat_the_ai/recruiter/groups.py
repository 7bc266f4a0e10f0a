"""Groups of participants: who may see a study, and who may not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter.errors import Invalid, NotThere
from beat_the_ai.recruiter.identifiers import is_id, new_id
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.tables import group_members, participant_groups


@dataclass(frozen=True)
class Group:
    """A row of `participant_groups`."""

    number: int
    id: str
    name: str
    description: str | None
    is_deleted: bool
    created_at: datetime


def add(moment: Moment, name: str, description: str | None) -> Group:
    """Make a group without members."""
    identifier = new_id()
    row = {"id": identifier, "name": name, "description": description, "is_deleted": False, "created_at": moment.now}
    moment.connection.execute(sa.insert(participant_groups).values(row))
    return get(moment, identifier)


def get(moment: Moment, group_id: str) -> Group:
    """Return a group, deleted or not. Raises `NotThere`."""
    row = moment.connection.execute(sa.select(participant_groups).filter_by(id=group_id)).one_or_none()
    if row is None:
        raise NotThere("participant group", group_id)
    return Group(**row._mapping)


def get_living(moment: Moment, group_id: str) -> Group:
    """Return a group that is not deleted. Raises `NotThere`."""
    group = get(moment, group_id)
    if group.is_deleted:
        raise NotThere("participant group", group_id)
    return group


def all_of(moment: Moment, *, is_deleted: bool) -> list[Group]:
    """Return the groups, the oldest first."""
    query = sa.select(participant_groups).filter_by(is_deleted=is_deleted).order_by(participant_groups.c.number)
    return [Group(**row._mapping) for row in moment.connection.execute(query)]


def rename(moment: Moment, group_id: str, name: str) -> None:
    """Give a group another name."""
    moment.connection.execute(sa.update(participant_groups).filter_by(id=group_id).values(name=name))


def delete(moment: Moment, group_id: str) -> None:
    """Delete a group; a study that names it is open to nobody, or closed to nobody, by it."""
    moment.connection.execute(sa.update(participant_groups).filter_by(id=group_id).values(is_deleted=True))
    moment.connection.execute(sa.delete(group_members).filter_by(group_id=group_id))


def members(moment: Moment, group_id: str) -> list[tuple[str, datetime]]:
    """Return each member and since when they are one."""
    query = sa.select(group_members).filter_by(group_id=group_id)
    ordered = query.order_by(group_members.c.added_at, group_members.c.participant_id)
    return [(row.participant_id, row.added_at) for row in moment.connection.execute(ordered)]


def count_members(moment: Moment, group_id: str) -> int:
    """Return the number of members."""
    query = sa.select(sa.func.count()).select_from(group_members).filter_by(group_id=group_id)
    return moment.connection.scalar(query) or 0


def join(moment: Moment, group_id: str, participant_ids: Iterable[str]) -> None:
    """Add participants; members stay members since when they were. Raises `Invalid`."""
    present = {participant_id for participant_id, _ in members(moment, group_id)}
    wanted = list(dict.fromkeys(participant_ids))
    if wrong := [one for one in wanted if not is_id(one)]:
        shown = ", ".join(repr(one[:40]) for one in wrong[:10])
        raise invalid("participant_ids", f"A participant id has 24 hexadecimal digits; these are none: {shown}")
    rows = [
        {"group_id": group_id, "participant_id": one, "added_at": moment.now} for one in wanted if one not in present
    ]
    if rows:
        moment.connection.execute(sa.insert(group_members), rows)


def leave(moment: Moment, group_id: str, participant_ids: Iterable[str]) -> None:
    """Remove participants who are members."""
    for participant_id in participant_ids:
        here = sa.delete(group_members).filter_by(group_id=group_id, participant_id=participant_id)
        moment.connection.execute(here)


def membership(moment: Moment, participant_id: str) -> Callable[[str], bool]:
    """Return the test of whether a participant is a member of a group."""
    query = sa.select(group_members.c.group_id).filter_by(participant_id=participant_id)
    return set(moment.connection.scalars(query)).__contains__


def check_groups(moment: Moment, group_ids: Iterable[str]) -> None:
    """Raise `Invalid` for groups that are not there."""
    for group_id in group_ids:
        try:
            get_living(moment, group_id)
        except NotThere as error:
            raise Invalid(error.detail) from None
