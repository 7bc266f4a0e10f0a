"""Persons' decisions about the pay of assignments that are not paid by themselves. Decisions are only added."""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.records import PayDecision
from beat_the_ai.store.tables import pay_decisions


class PayDecisions:
    """Queries on decisions about pay."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, decision: PayDecision) -> None:
        insert = sa.insert(pay_decisions).values(**vars(decision))
        self._database.write(lambda connection: connection.execute(insert).rowcount)

    def last(self) -> dict[str, PayDecision]:
        """`{assignment: the decision that counts}`."""
        columns = [column for column in pay_decisions.c if column.name != "id"]
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(*columns).order_by(pay_decisions.c.id))
            return {row.assignment_id: PayDecision(**row._mapping) for row in rows}
