"""What language models were asked and answered, and what that cost: the same question is answered once for all.

A question is written down with the most that it may cost before it is asked, so that whatever dies meanwhile, no cost
is left out. Amounts are millionths of a US cent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.tables import model_answers


@dataclass(frozen=True)
class ModelQuestion:
    """What is asked of which model, by their hashes."""

    campaign_id: str
    model_hash: str
    query_hash: str


class ModelAnswers:
    """Queries on language models' answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, question: ModelQuestion) -> Mapping[str, Any] | None:
        """The prediction that was given, if any."""
        with self._database.reading() as connection:
            return _answered(connection, question)

    def ask(
        self, question: ModelQuestion, most_microcents: int, limit_microcents: int | None, at: datetime
    ) -> int | None:
        """Write down that it is being asked. Gives the row's id; None where all costs would pass the limit."""

        def ask(connection: sa.Connection) -> int | None:
            if limit_microcents is not None:
                if connection.dialect.name != "sqlite":  # where one transaction writes at a time
                    connection.execute(sa.text("LOCK TABLE model_answers IN SHARE ROW EXCLUSIVE MODE"))
                if _spent(connection, question.campaign_id) + most_microcents > limit_microcents:
                    return None
            insert = sa.insert(model_answers).values(**vars(question), microcents=most_microcents, at=at)
            return int(connection.execute(insert).inserted_primary_key[0])  # type: ignore[index]

        return self._database.write(ask)

    def answer(
        self, asked: int, question: ModelQuestion, prediction: Mapping[str, Any], microcents: int
    ) -> Mapping[str, Any]:
        """Keep what it was answered and what it did cost. Gives the prediction that stands: the first one."""

        def answer(connection: sa.Connection) -> Mapping[str, Any]:
            connection.execute(_of(question).with_for_update())
            first = _answered(connection, question)
            values = {"microcents": microcents} | ({"prediction": prediction} if first is None else {})
            connection.execute(sa.update(model_answers).where(model_answers.c.id == asked).values(**values))
            return prediction if first is None else first

        return self._database.write(answer)

    def forget(self, asked: int) -> None:
        """It certainly was not answered, and cost nothing."""
        delete = sa.delete(model_answers).where(model_answers.c.id == asked)
        self._database.write(lambda connection: connection.execute(delete).rowcount)

    def spent_microcents(self, campaign_id: str) -> int:
        """At most: of what was never answered it is not known."""
        with self._database.reading() as connection:
            return _spent(connection, campaign_id)


def _of(question: ModelQuestion) -> sa.Select[tuple[Any]]:
    return sa.select(model_answers.c.prediction).filter_by(**vars(question))


def _answered(connection: sa.Connection, question: ModelQuestion) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = connection.scalar(_of(question).where(model_answers.c.prediction.is_not(None)))
    return found


def _spent(connection: sa.Connection, campaign_id: str) -> int:
    total = sa.select(sa.func.coalesce(sa.func.sum(model_answers.c.microcents), 0)).filter_by(campaign_id=campaign_id)
    return int(connection.scalar(total) or 0)
