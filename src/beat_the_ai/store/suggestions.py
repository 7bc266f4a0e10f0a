"""The suggestions of a model that writers were shown, each kept before it is shown. Nothing here is ever deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.store import tables

_SHOWN = tables.suggestions
_COLUMNS = [column for column in _SHOWN.c if column.name != "id"]
_OF_ASSIGNMENT = _SHOWN.c.assignment_id == sa.bindparam("assignment")
_ALL = sa.select(*_COLUMNS).where(_OF_ASSIGNMENT).order_by(_SHOWN.c.ordinal)
_LOCK = (
    sa.select(tables.assignments.c.submitted_at)
    .where(tables.assignments.c.id == sa.bindparam("assignment"))
    .with_for_update()
)


@dataclass(frozen=True)
class ShownSuggestion:
    """A suggestion that was shown in an assignment `at` a time, and taken into the form at another, if it was.

    `ordinal` counts those of the assignment from 1. `name` is the suggestion's id in its file, `content` the fields of
    a work that it has.
    """

    assignment_id: str
    ordinal: int
    name: str
    model: str
    content: Mapping[str, Any]
    at: datetime
    taken_at: datetime | None = None


class ShownSuggestions:
    """Queries on suggestions that were shown."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def show(self, suggestion: ShownSuggestion) -> None:
        """Keep a suggestion before it is shown; what was kept under its ordinal stays.

        Raises `Refused` for a HIT that was handed in.
        """
        names = {"assignment": suggestion.assignment_id}
        kept = sa.exists().where(_OF_ASSIGNMENT, _SHOWN.c.ordinal == suggestion.ordinal)

        def show(connection: sa.Connection) -> None:
            submitted_at = connection.scalar(_LOCK, names)
            if connection.scalar(sa.select(kept), names):
                return
            if submitted_at is not None:
                raise Refused(said("refusals.submitted"))
            connection.execute(sa.insert(_SHOWN).values(**asdict(suggestion)))

        self._database.write(show)

    def take(self, assignment_id: str, ordinal: int, at: datetime) -> None:
        """Keep that the writer took a suggestion into the form; the first time stands.

        Raises `InvalidInput` for one that was never shown.
        """
        which = sa.and_(_SHOWN.c.assignment_id == assignment_id, _SHOWN.c.ordinal == ordinal)

        def take(connection: sa.Connection) -> None:
            if not connection.scalar(sa.select(sa.exists().where(which))):
                raise InvalidInput("ordinal", f"ordinal={ordinal} was given, and no such suggestion was shown.")
            connection.execute(sa.update(_SHOWN).where(which, _SHOWN.c.taken_at.is_(None)).values(taken_at=at))

        self._database.write(take)

    def of_assignment(self, assignment_id: str) -> list[ShownSuggestion]:
        """Return the suggestions that were shown in an assignment, in their order."""
        rows = self._database.rows(_ALL, {"assignment": assignment_id})
        return [ShownSuggestion(**row._mapping) for row in rows]
