"""The rounds of campaigns, and from when on the terms of their stages are frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import UnknownName
from beat_the_ai.store import tables
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import Round

_ROUNDS, _STAGES = tables.rounds, tables.round_stages
_CLOSED_AT = sa.select(_ROUNDS.c.closed_at).where(
    _ROUNDS.c.campaign_id == sa.bindparam("campaign"), _ROUNDS.c.number == sa.bindparam("number")
)


class Rounds:
    """Queries on rounds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, round_: Round) -> Round:
        """Store a new round, or give back the one of that number."""
        with self._database.writing() as connection:
            lock_campaign(connection, round_.campaign_id)
            if self._get(connection, round_.campaign_id, round_.number) is None:
                insert(connection, round_)
        return self.get(round_.campaign_id, round_.number)

    def get(self, campaign_id: str, number: int) -> Round:
        with self._database.reading() as connection:
            found = self._get(connection, campaign_id, number)
        if found is None:
            raise UnknownName("round", str(number), [str(each.number) for each in self.of_campaign(campaign_id)])
        return found

    def is_closed(self, campaign_id: str, number: int) -> bool:
        """Asked at each registration, for which no more is read. A round that there is not is open."""
        rows = self._database.rows(_CLOSED_AT, {"campaign": campaign_id, "number": number})
        return any(row.closed_at is not None for row in rows)

    def _get(self, connection: sa.Connection, campaign_id: str, number: int) -> Round | None:
        return next(
            iter(self._found(connection, _ROUNDS.c.campaign_id == campaign_id, _ROUNDS.c.number == number)), None
        )

    def of_campaign(self, campaign_id: str) -> list[Round]:
        """In the order of their numbers."""
        with self._database.reading() as connection:
            return self._found(connection, _ROUNDS.c.campaign_id == campaign_id)

    def current(self, campaign_id: str) -> Round:
        """The last one, closed or not."""
        rounds = self.of_campaign(campaign_id)
        if not rounds:
            raise UnknownName("campaign", campaign_id, [])
        return rounds[-1]

    @staticmethod
    def _found(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> list[Round]:
        rows = connection.execute(sa.select(_ROUNDS).where(*which).order_by(_ROUNDS.c.number)).all()
        same = sa.and_(_STAGES.c.campaign_id == _ROUNDS.c.campaign_id, _STAGES.c.number == _ROUNDS.c.number)
        frozen: dict[int, dict[str, datetime]] = {row.number: {} for row in rows}
        for stage in connection.execute(sa.select(_STAGES).join(_ROUNDS, same).where(*which)):
            frozen[stage.number][stage.stage] = stage.frozen_at
        return [Round(**row._mapping, frozen=frozen[row.number]) for row in rows]

    def freeze(self, campaign_id: str, number: int, stage: str, at: datetime) -> bool:
        """People are told of a stage. A second time changes nothing, and is False."""
        row = {"campaign_id": campaign_id, "number": number, "stage": stage}
        with self._database.writing() as connection:
            lock_campaign(connection, campaign_id)
            if connection.execute(sa.select(_STAGES).filter_by(**row)).first() is not None:
                return False
            connection.execute(sa.insert(_STAGES).values(**row, frozen_at=at))
            return True

    def thaw(self, campaign_id: str, number: int, stage: str) -> None:
        """Nobody was told of it after all."""
        row = {"campaign_id": campaign_id, "number": number, "stage": stage}
        with self._database.writing() as connection:
            connection.execute(sa.delete(_STAGES).filter_by(**row))

    def amend(self, campaign_id: str, number: int, config: Mapping[str, Any]) -> None:
        """Other terms, as far as they may change: whoever calls this has checked that."""
        self._update(campaign_id, number, config=dict(config))

    def keep_models(self, campaign_id: str, number: int, models: Sequence[Mapping[str, str]]) -> None:
        self._update(campaign_id, number, models=[dict(model) for model in models])

    def _update(self, campaign_id: str, number: int, **values: Any) -> None:
        with self._database.writing() as connection:
            connection.execute(sa.update(_ROUNDS).filter_by(campaign_id=campaign_id, number=number).values(**values))

    def close(self, campaign_id: str, at: datetime) -> Round:
        """Give out no HIT of the current round any more. A second time changes nothing."""
        number = self.current(campaign_id).number
        still_open = sa.and_(
            _ROUNDS.c.campaign_id == campaign_id, _ROUNDS.c.number == number, _ROUNDS.c.closed_at.is_(None)
        )
        with self._database.writing() as connection:
            connection.execute(sa.update(_ROUNDS).where(still_open).values(closed_at=at))
        return self.get(campaign_id, number)


def insert(connection: sa.Connection, round_: Round) -> None:
    """A round that is not there, and of which nothing is frozen yet."""
    values = {name: value for name, value in vars(round_).items() if name != "frozen"}
    connection.execute(sa.insert(_ROUNDS).values(**{**values, "models": list(round_.models)}))


def exists(connection: sa.Connection, campaign_id: str, number: int) -> bool:
    return connection.scalar(sa.select(_ROUNDS.c.number).filter_by(campaign_id=campaign_id, number=number)) is not None


def is_closed(connection: sa.Connection, campaign_id: str, number: int) -> bool:
    return connection.scalar(_CLOSED_AT, {"campaign": campaign_id, "number": number}) is not None
