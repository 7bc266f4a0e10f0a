"""The requests for acts, each with its report. A request is kept with the log's entry of its act, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.tables import act_requests


@dataclass(frozen=True)
class ActRequest:
    """A request of somebody for an act on a campaign. `content` is a hash of what was asked for."""

    campaign_id: str
    who: str
    id: str
    content: str

    @property
    def key(self) -> Mapping[str, str]:
        return {"campaign_id": self.campaign_id, "who": self.who, "request": self.id}


@dataclass(frozen=True)
class KeptRequest:
    """A request whose act was done. Without a `report`, whoever did it has not answered, or was killed before."""

    content: str
    report: Mapping[str, Any] | None


class AlreadyDone(Exception):  # no error: the transaction is rolled back
    """The act of this request was done before."""


def keep_once(connection: sa.Connection, request: ActRequest, at: datetime) -> None:
    """Keep a request in the transaction of its act. Raises `AlreadyDone`. Entries in the log come one at a time."""
    if _find(connection, request) is not None:
        raise AlreadyDone
    values = {**request.key, "content": request.content, "at": at}
    connection.execute(sa.insert(act_requests).values(values))


def _find(connection: sa.Connection, request: ActRequest) -> KeptRequest | None:
    query = sa.select(act_requests.c.content, act_requests.c.report).filter_by(**request.key)
    row = connection.execute(query).one_or_none()
    return None if row is None else KeptRequest(*row)


class ActRequests:
    """Queries on requests for acts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, request: ActRequest) -> KeptRequest | None:
        """Return what is kept of a request; None if its act was not done, or changed nothing."""
        with self._database.reading() as connection:
            return _find(connection, request)

    def answer(self, request: ActRequest, report: Mapping[str, Any], at: datetime) -> None:
        """Keep the report of a request, also of an act that changed nothing. The first report stands."""

        def answer(connection: sa.Connection) -> None:
            known = _find(connection, request)
            if known is None:
                values = {**request.key, "content": request.content, "at": at, "report": report}
                connection.execute(sa.insert(act_requests).values(values))
            elif known.report is None:
                connection.execute(sa.update(act_requests).filter_by(**request.key).values(report=report))

        with suppress(sa.exc.IntegrityError):  # another console was faster
            self._database.write(answer)
