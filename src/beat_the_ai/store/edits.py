"""The drafts of writers on the way to an attempt, with the model's hints. Nothing here is ever deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused
from beat_the_ai.messages import said
from beat_the_ai.store import tables

MAX_EDITS = 2000  # of one assignment

_OF_ASSIGNMENT = tables.edits.c.assignment_id == sa.bindparam("assignment")
_LOCK = (
    sa.select(tables.assignments.c.submitted_at)
    .where(tables.assignments.c.id == sa.bindparam("assignment"))
    .with_for_update()
)
_BY_KEY = sa.select(tables.edits).where(_OF_ASSIGNMENT, tables.edits.c.key == sa.bindparam("edit_key"))
_KEPT = sa.select(sa.func.count()).select_from(tables.edits).where(_OF_ASSIGNMENT)


@dataclass(frozen=True)
class Edit:
    """A draft as it stood `at` a time. `key` is unique within its assignment.

    `ordinal` counts an assignment's edits from 1; `attempt` is the ordinal of the attempt that the draft may become.
    `cause` is why the page sent it. `prediction` is None for a draft that a newer one overtook before it was answered.
    """

    assignment_id: str
    key: str
    ordinal: int
    attempt: int
    cause: str
    draft: Mapping[str, Any]
    at: datetime
    prediction: Mapping[str, Any] | None = None
    member: str | None = None
    model_hash: str | None = None


class Edits:
    """Queries on edits."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, assignment_id: str, key: str, attempt: int, cause: str, draft: Mapping[str, Any], at: datetime
    ) -> Edit:
        """Keep a draft; the same key again gives what is kept under it.

        Raises `Refused` for a HIT that was handed in, and after `MAX_EDITS`.
        """
        names = {"assignment": assignment_id, "edit_key": key}

        def add(connection: sa.Connection) -> Edit:
            submitted_at = connection.scalar(_LOCK, names)
            if (row := connection.execute(_BY_KEY, names).one_or_none()) is not None:
                return _edit(row)
            if submitted_at is not None:
                raise Refused(said("refusals.submitted"))
            kept = connection.scalar(_KEPT, names) or 0
            if kept >= MAX_EDITS:
                raise Refused(said("refusals.looked_at_often"))
            edit = Edit(assignment_id, key, kept + 1, attempt, cause, draft, at)
            connection.execute(sa.insert(tables.edits).values(**asdict(edit)))
            return edit

        return self._database.write(add)

    def answer(self, edit: Edit, prediction: Mapping[str, Any], member: str, model_hash: str) -> None:
        """Keep what the model said of it; the first answer stands."""
        update = (
            sa.update(tables.edits)
            .filter_by(assignment_id=edit.assignment_id, key=edit.key)
            .where(tables.edits.c.prediction.is_(None))
            .values(prediction=prediction, member=member, model_hash=model_hash)
        )
        self._database.write(lambda connection: connection.execute(update).rowcount)

    def of_assignment(self, assignment_id: str, *, after: int = 0, most: int = MAX_EDITS) -> list[Edit]:
        """In the order in which they came: at most so many of those after the ordinal `after`."""
        query = (
            sa.select(tables.edits)
            .where(_OF_ASSIGNMENT, tables.edits.c.ordinal > after)
            .order_by(tables.edits.c.ordinal)
            .limit(most)
        )
        with self._database.reading() as connection:
            return [_edit(row) for row in connection.execute(query, {"assignment": assignment_id})]

    def counts(self, assignment_ids: Iterable[str]) -> dict[str, int]:
        """Return the number of edits of the assignments that have any."""
        query = (
            sa.select(tables.edits.c.assignment_id, sa.func.count())
            .where(tables.edits.c.assignment_id.in_(list(assignment_ids)))
            .group_by(tables.edits.c.assignment_id)
        )
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def of_campaign(self, campaign_id: str) -> Iterator[Edit]:
        """All of them, by assignment and in order; read as they are taken."""
        query = (
            sa.select(tables.edits)
            .join(tables.assignments, tables.assignments.c.id == tables.edits.c.assignment_id)
            .join(tables.hits, tables.hits.c.id == tables.assignments.c.hit_id)
            .where(tables.hits.c.campaign_id == campaign_id)
            .order_by(self._database.by_code_point(tables.edits.c.assignment_id), tables.edits.c.ordinal)
        )
        with self._database.reading() as connection:
            for row in connection.execution_options(yield_per=500).execute(query):
                yield _edit(row)


def _edit(row: sa.Row[Any]) -> Edit:
    values = dict(row._mapping)
    del values["id"]
    return Edit(**values)
