"""Questions to language models, their answers and their costs: each question is answered once for all.

A question is stored with its highest cost before it is asked, so that a crash leaves out no cost. Amounts are
millionths of a US cent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused
from beat_the_ai.store.tables import assignments, attempts, hits, model_answers

_TOTAL = sa.select(sa.func.sum(model_answers.c.microcents)).where(
    model_answers.c.campaign_id == sa.bindparam("campaign")
)
_TOTAL_OF_ASSIGNMENT = _TOTAL.where(model_answers.c.assignment_id == sa.bindparam("assignment"))
_asking = assignments.alias()
_OF_WORKER = assignments.c.worker == (
    sa.select(_asking.c.worker).where(_asking.c.id == sa.bindparam("assignment")).scalar_subquery()
)
_TOTAL_OF_WORKER = _TOTAL.where(model_answers.c.assignment_id.in_(sa.select(assignments.c.id).where(_OF_WORKER)))
_ATTEMPTS_OF_WORKER = (
    sa.select(sa.func.count())
    .select_from(attempts.join(assignments).join(hits))
    .where(_OF_WORKER, hits.c.campaign_id == sa.bindparam("campaign"))
)


@dataclass(frozen=True)
class ModelQuestion:
    """A question to a model, by the hashes of both."""

    campaign_id: str
    model_hash: str
    query_hash: str


@dataclass(frozen=True)
class Spending:
    """The limits of spending when a question is asked, in millionths of a US cent.

    The question costs `most` at most. The campaign may spend `limit`; None for any sum. An assignment may spend
    `per_try` for each of the `tries` of its HIT, whatever became of them. A worker may spend as much, and `per_try` for
    each attempt that was counted. No more than `share` of each limit is spent.
    """

    most: int
    limit: int | None = None
    per_try: int = 0
    tries: int = 0
    share: float = 1.0


class OverSpent(Refused):
    """A question would pass a limit: that of its assignment or its worker (`own`), or the campaign's."""

    def __init__(self, *, own: bool) -> None:
        super().__init__("What may be spent on language models is used up.")
        self.own = own


class ModelAnswers:
    """Queries on language models' answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, question: ModelQuestion) -> Mapping[str, Any] | None:
        """The prediction that was given, if any."""
        with self._database.reading() as connection:
            return _answered(connection, question)

    def is_unreadable(self, question: ModelQuestion) -> bool:
        """Return whether the model was asked and gave no valid answer."""
        unreadable = _of(question).where(model_answers.c.unreadable)
        with self._database.reading() as connection:
            return connection.execute(unreadable).first() is not None

    def ask(self, question: ModelQuestion, assignment_id: str, spending: Spending, at: datetime) -> int:
        """Write down that it is being asked, at its most. Gives the row's id. Raises `OverSpent`."""

        def ask(connection: sa.Connection) -> int:
            if spending.limit is not None:
                if connection.dialect.name != "sqlite":  # where one transaction writes at a time
                    connection.execute(sa.text("LOCK TABLE model_answers IN SHARE ROW EXCLUSIVE MODE"))
                _check(connection, question.campaign_id, assignment_id, spending)
            values = {**vars(question), "assignment_id": assignment_id, "microcents": spending.most, "at": at}
            return int(connection.execute(sa.insert(model_answers).values(values)).inserted_primary_key[0])  # type: ignore[index]

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

    def fail(self, asked: int, microcents: int | None, *, unreadable: bool) -> None:
        """Keep what a question cost that got no answer; where that is None, its most stays counted.

        `unreadable` if the model said something, and it is no answer.
        """
        cost = {} if microcents is None else {"microcents": microcents}
        failed = sa.update(model_answers).where(model_answers.c.id == asked).values(unreadable=unreadable, **cost)
        self._database.write(lambda connection: connection.execute(failed).rowcount)

    def forget(self, asked: int) -> None:
        """It certainly was not answered, and cost nothing."""
        delete = sa.delete(model_answers).where(model_answers.c.id == asked)
        self._database.write(lambda connection: connection.execute(delete).rowcount)

    def spent_microcents(self, campaign_id: str) -> int:
        """At most: of what was never answered it is not known."""
        with self._database.reading() as connection:
            return _spent(connection, campaign_id)

    def spent_by_model(self, campaign_id: str) -> dict[str, int]:
        """Return the same by the model's hash."""
        query = sa.select(model_answers.c.model_hash, sa.func.sum(model_answers.c.microcents))
        query = query.filter_by(campaign_id=campaign_id).group_by(model_answers.c.model_hash)
        with self._database.reading() as connection:
            return {digest: int(microcents) for digest, microcents in connection.execute(query)}


def _of(question: ModelQuestion) -> sa.Select[tuple[Any]]:
    return sa.select(model_answers.c.prediction).filter_by(**vars(question))


def _answered(connection: sa.Connection, question: ModelQuestion) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = connection.scalar(_of(question).where(model_answers.c.prediction.is_not(None)))
    return found


def _spent(connection: sa.Connection, campaign_id: str) -> int:
    return int(connection.scalar(_TOTAL, {"campaign": campaign_id}) or 0)


def _check(connection: sa.Connection, campaign_id: str, assignment_id: str, spending: Spending) -> None:
    """Raise `OverSpent` where the question does not fit into what is left."""
    assert spending.limit is not None, "models without a price are asked without limits"
    names = {"campaign": campaign_id, "assignment": assignment_id}
    own_limit = spending.share * spending.tries * spending.per_try
    if (connection.scalar(_TOTAL_OF_ASSIGNMENT, names) or 0) >= own_limit > 0:
        raise OverSpent(own=True)
    workers_limit = own_limit + spending.share * spending.per_try * (connection.scalar(_ATTEMPTS_OF_WORKER, names) or 0)
    if (connection.scalar(_TOTAL_OF_WORKER, names) or 0) >= workers_limit > 0:
        raise OverSpent(own=True)
    if _spent(connection, campaign_id) + spending.most > spending.share * spending.limit:
        raise OverSpent(own=False)
