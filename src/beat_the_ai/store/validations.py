"""Validation HITs, their works, and votes. Nothing here is ever deleted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.rules.adjudication import NOT_ADJUDICATED, Adjudication, Outcome
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import tables, works
from beat_the_ai.store.adjudication import ADJUDICATION, LAST_VOTE
from beat_the_ai.store.assignments import COLUMNS, find, insert, is_among, is_by, of_worker
from beat_the_ai.store.batches import BATCH, ROWS_AT_ONCE, batched
from beat_the_ai.store.discards import has_counted_validator, unreliable_validators
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import (
    Assignment,
    PlacedItem,
    Snapshot,
    ValidationItem,
    ValidationVote,
)
from beat_the_ai.store.won import WON

NO_ITEM = "refusals.no_item"
ANSWERED = "refusals.answered"
_ASSIGNMENTS, _ITEMS, _VOTES = tables.assignments, tables.validation_items, tables.validation_votes
_ITEM = (
    _ITEMS.c.id,
    _ITEMS.c.assignment_id,
    _ITEMS.c.position,
    _ITEMS.c.context_id,
    _ITEMS.c.attempt_id,
    _ITEMS.c.gold,
    _ITEMS.c.steps,
)

# A work of a HIT: (context, attempt, None) for a writer's, (context, None, gold) for one whose answer is known.
Chosen = tuple[str, str | None, Mapping[str, Any] | None]


class Validations:
    """Queries on validation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def taken(self, campaign_id: str, hit: str, worker: str, registration: str) -> Assignment | None:
        """Return what was taken as this HIT with this registration. Raises `Refused` when that is another worker's."""
        with self._database.reading() as connection:
            return _taken(connection, campaign_id, hit, worker, registration)

    def next_id(self, campaign_id: str, worker: str) -> str:
        """The id of the worker's next assignment: it tells how many HITs they took before, so that draws repeat."""
        with self._database.reading() as connection:
            return _next_id(connection, campaign_id, worker)

    def accept(self, assignment: Assignment, chosen: Sequence[Chosen], held_since: datetime) -> Assignment | None:
        """Record that a validator took a HIT with these works. The same registration again gives what it gave before.

        None, and nothing changes, when the id is not the worker's next one by now, or some of the works are no longer
        to be given (`works.have_room`): others came in between. Whoever held the HIT before has lost it. Raises
        `Refused` when the registration is another worker's.
        """
        of, names = assignment, {attempt for _, attempt, _ in chosen if attempt is not None}

        def accept(connection: sa.Connection) -> Assignment | None:
            lock_campaign(connection, of.campaign_id)
            known = _taken(connection, of.campaign_id, of.hit, of.worker, of.registration)
            if known is not None:
                return known
            place = (of.campaign_id, of.round, held_since, of.hit, of.worker)
            if of.id != _next_id(connection, of.campaign_id, of.worker) or not works.have_room(
                connection, *place, names
            ):
                return None
            made = replace(of, place=short_hash(of.campaign_id, of.hit))
            insert(connection, made)
            connection.execute(sa.insert(_ITEMS), _item_rows(made, chosen))
            return made

        return self._database.write(accept)

    def session(self, assignment_id: str) -> tuple[Assignment, list[ValidationItem], dict[str, ValidationVote]]:
        """An assignment, its items in order, and the last vote on each item that has any."""
        with self._database.reading() as connection:
            assignment = find(connection, assignment_id)
            rows = connection.execute(
                sa.select(*_ITEM).where(_ITEMS.c.assignment_id == assignment_id).order_by(_ITEMS.c.position)
            )
            items = [ValidationItem(**row._mapping) for row in rows]
            cast = sa.select(_VOTES).join(_ITEMS).where(_ITEMS.c.assignment_id == assignment_id, LAST_VOTE)
            votes = {row.item_id: ValidationVote(**row._mapping) for row in connection.execute(cast)}
        return assignment, items, votes

    def material(self, assignment_id: str) -> tuple[dict[str, Context], dict[str, Mapping[str, Any]]]:
        """The contexts of an assignment by id, and the work behind each of its items by the item's id."""
        contexts, attempts = tables.contexts, tables.attempts
        of_assignment = _ITEMS.c.assignment_id == assignment_id
        with self._database.reading() as connection:
            columns = (contexts.c.id, contexts.c.text, contexts.c.title, contexts.c.private)
            asked = sa.select(_ITEMS.c.campaign_id, _ITEMS.c.context_id).where(of_assignment)
            rows = connection.execute(
                sa.select(*columns).where(sa.tuple_(contexts.c.campaign_id, contexts.c.id).in_(asked))
            )
            found = {row.id: Context(**row._mapping) for row in rows}
            works = connection.execute(
                sa.select(_ITEMS.c.id, attempts.c.work, _ITEMS.c.gold).outerjoin(attempts).where(of_assignment)
            )
            return found, {row.id: row.gold if row.work is None else row.work for row in works}

    def vote(
        self,
        assignment_id: str,
        item_id: str,
        key: str,
        vote: Mapping[str, Any],
        at: datetime,
        *,
        after_steps: int | None = None,
    ) -> ValidationVote:
        """Make a vote durable. Where its key was stored before, that vote is given back and nothing changes.

        With `after_steps` it is the only one on its item, of which so many steps were shown. Raises `Refused` when that
        is not so, or when the HIT was submitted or given back, `InvalidInput` when the item is not of this one.
        """

        def cast(connection: sa.Connection) -> ValidationVote:
            assignment, steps = self._locked_item(connection, assignment_id, item_id)
            known = connection.execute(sa.select(_VOTES).filter_by(item_id=item_id, key=key)).one_or_none()
            if known is not None:
                return ValidationVote(**known._mapping)
            _check_open(assignment)
            made = connection.scalar(sa.select(sa.func.count()).select_from(_VOTES).filter_by(item_id=item_id))
            if after_steps is not None and made:
                raise Refused(said(ANSWERED))
            if after_steps not in (None, steps):
                raise Refused(said("refusals.more_shown"))
            record = ValidationVote(item_id, int(made or 0) + 1, key, vote, at)
            connection.execute(sa.insert(_VOTES), vars(record))
            return record

        return self._database.write(cast)

    def placed_work(self, assignment_id: str, item_id: str) -> tuple[Assignment, ValidationItem, Mapping[str, Any]]:
        """An assignment, one of its items, and the work behind that. Raises `InvalidInput` for another's item."""
        mine = sa.and_(_ITEMS.c.id == item_id, _ITEMS.c.assignment_id == assignment_id)
        attempts = tables.attempts
        with self._database.reading() as connection:
            assignment = find(connection, assignment_id)
            row = connection.execute(sa.select(*_ITEM, attempts.c.work).outerjoin(attempts).where(mine)).one_or_none()
        if row is None:
            raise InvalidInput("item_id", said(NO_ITEM))
        item = ValidationItem(*row[:-1])
        return assignment, item, row.work if item.gold is None else item.gold

    def reveal(self, assignment_id: str, item_id: str, steps: int) -> int:
        """Make durable that so many steps of an item are shown, one more than before at most; how many are, then.

        Raises `Refused` when there is a vote on it, or when the HIT was submitted or given back, `InvalidInput` when
        the item is not of this one.
        """

        def reveal(connection: sa.Connection) -> int:
            assignment, shown = self._locked_item(connection, assignment_id, item_id)
            if steps <= shown:
                return shown
            _check_open(assignment)
            if connection.scalar(sa.select(sa.exists().where(_VOTES.c.item_id == item_id))):
                raise Refused(said(ANSWERED))
            connection.execute(sa.update(_ITEMS).filter_by(id=item_id).values(steps=shown + 1))
            return shown + 1

        return self._database.write(reveal)

    def _locked_item(self, connection: sa.Connection, assignment_id: str, item_id: str) -> tuple[Assignment, int]:
        """The assignment, and how many steps of its item were shown."""
        assignment = find(connection, assignment_id, lock=True)
        steps = connection.scalar(sa.select(_ITEMS.c.steps).filter_by(id=item_id, assignment_id=assignment_id))
        if steps is None:
            raise InvalidInput("item_id", said(NO_ITEM))
        return assignment, steps

    def release(self, assignment_id: str) -> None:
        """The validator is gone: what was not answered is free for others. Nothing happens to a submitted HIT."""
        update = sa.update(_ASSIGNMENTS).filter_by(id=assignment_id).values(place=None)
        self._database.write(lambda connection: connection.execute(update))

    def unanswered(self, campaign_id: str) -> set[str]:
        """The HITs that count without an answer."""
        answered = sa.exists().where(_ITEMS.c.assignment_id == _ASSIGNMENTS.c.id, _VOTES.c.item_id == _ITEMS.c.id)
        query = sa.select(_ASSIGNMENTS.c.id).where(_of_validation(campaign_id), ~answered)
        with self._database.reading() as connection:
            return set(connection.scalars(query.where(_ASSIGNMENTS.c.confirmed_at.is_not(None))))

    def answered(self, campaign_id: str, worker: str | None = None, among: Collection[str] | None = None) -> set[str]:
        """The ids of the HITs with an answer."""
        answers = sa.select(_ITEMS.c.assignment_id).join(_VOTES).join(_ASSIGNMENTS)
        query = answers.where(_ITEMS.c.campaign_id == campaign_id, is_by(worker)).distinct()
        query = query.where(is_among(_ASSIGNMENTS.c.id, among))
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def gold_unanswered(self, campaign_id: str) -> dict[str, int]:
        """Return by HIT how much gold has no answer, of those with any such gold."""
        answered = sa.select(_VOTES.c.item_id).where(_VOTES.c.item_id == _ITEMS.c.id).exists()
        query = sa.select(_ITEMS.c.assignment_id, sa.func.count()).group_by(_ITEMS.c.assignment_id)
        query = query.where(_ITEMS.c.campaign_id == campaign_id, _ITEMS.c.gold.is_not(None), ~answered)
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def votes(self, campaign_id: str) -> Iterator[tuple[Assignment, ValidationItem, Mapping[str, Any], ValidationVote]]:
        """Every item that has a vote, with its HIT, the work, and the last vote; whether it counts or not.

        In the order in which the HITs were taken; read as they are taken here.
        """
        assignments = [column.label(f"of_{column.name}") for column in COLUMNS]
        votes = [column.label(f"last_{column.name}") for column in _VOTES.c]
        query = (
            sa.select(*_ITEM, *assignments, *votes, tables.attempts.c.work)
            .join_from(_ITEMS, _ASSIGNMENTS)
            .join(_VOTES, sa.and_(_VOTES.c.item_id == _ITEMS.c.id, LAST_VOTE))
            .outerjoin(tables.attempts, tables.attempts.c.id == _ITEMS.c.attempt_id)
            .where(_of_validation(campaign_id))
            .order_by(_ASSIGNMENTS.c.accepted_at, self._database.by_code_point(_ASSIGNMENTS.c.id), _ITEMS.c.position)
        )
        first_vote = len(_ITEM) + len(assignments)
        with self._database.reading() as connection:
            for row in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query):
                item = ValidationItem(*row[: len(_ITEM)])
                work = row.work if item.gold is None else item.gold
                yield (
                    Assignment(*row[len(_ITEM) : first_vote]),
                    item,
                    work,
                    ValidationVote(*row[first_vote:-1]),
                )

    def votes_on(self, attempts: Iterable[str]) -> dict[str, list[Mapping[str, Any]]]:
        """Return `{attempt: votes that count}` of those that have any, each with its `worker`, in the order of HITs."""
        counts = sa.and_(_ASSIGNMENTS.c.confirmed_at.is_not(None), has_counted_validator())
        found: dict[str, list[Mapping[str, Any]]] = {}
        with self._database.reading() as connection:
            for names in batched(attempts, BATCH):
                query = (
                    sa.select(_ITEMS.c.attempt_id, _ASSIGNMENTS.c.worker, _VOTES.c.vote)
                    .join_from(_ITEMS, _ASSIGNMENTS)
                    .join(_VOTES)
                    .where(_ITEMS.c.attempt_id.in_(names), LAST_VOTE, counts)
                    .order_by(_ASSIGNMENTS.c.accepted_at, _ASSIGNMENTS.c.id, _ITEMS.c.position)
                )
                for row in connection.execute(query):
                    found.setdefault(row.attempt_id, []).append({"worker": row.worker, **row.vote})
        return found

    def gold_of(self, campaign_id: str, worker: str) -> list[tuple[str, Mapping[str, Any]]]:
        """The gold that a worker was ever asked: `(context, work)`."""
        asked = sa.select(_ITEMS.c.context_id, _ITEMS.c.gold).join_from(_ITEMS, _ASSIGNMENTS)
        query = asked.where(_ASSIGNMENTS.c.campaign_id == campaign_id, is_by(worker), _ITEMS.c.gold.is_not(None))
        with self._database.reading() as connection:
            return [(row.context_id, row.gold) for row in connection.execute(query)]

    def snapshot(self, campaign_id: str, *, only_asked: bool = False, among: Collection[str] | None = None) -> Snapshot:
        """All works, or only those that anybody was ever asked about; of these attempts of the campaign alone."""
        with self._database.reading() as connection:
            return Snapshot(
                self._outcomes(connection, campaign_id, only_asked=only_asked, among=among),
                self._placed(connection, campaign_id, among),
                unreliable_validators(connection, campaign_id),
            )

    def rounds_begun(self, campaign_id: str) -> set[int]:
        """Return the rounds about whose works anybody was ever asked."""
        asked = sa.select(tables.works.c.round).join_from(
            _ITEMS, tables.works, tables.works.c.attempt_id == _ITEMS.c.attempt_id
        )
        query = asked.where(tables.works.c.campaign_id == campaign_id).distinct()
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def unreliable(self, campaign_id: str) -> Mapping[int, frozenset[str]]:
        """Return the validators, by round, who do badly on gold."""
        with self._database.reading() as connection:
            return unreliable_validators(connection, campaign_id)

    def _outcomes(
        self, connection: sa.Connection, campaign_id: str, *, only_asked: bool, among: Collection[str] | None
    ) -> tuple[Outcome, ...]:
        hits, assignments, attempts = tables.hits, tables.assignments, tables.attempts
        by_context = self._database.by_code_point(hits.c.context_id)
        query = (
            sa.select(
                attempts.c.id,
                hits.c.context_id,
                assignments.c.worker,
                attempts.c.work,
                assignments.c.round,
                *ADJUDICATION,
            )
            .join_from(hits, assignments)
            .join(attempts)
            .join(tables.works)
            .where(
                # Both at once, and SQLite would read every HIT of the campaign.
                hits.c.campaign_id == campaign_id if among is None else attempts.c.id.in_(among),
                assignments.c.confirmed_at.is_not(None),
                WON,
            )
            .order_by(by_context, hits.c.slot, assignments.c.id, attempts.c.ordinal)
        )
        if only_asked:
            query = query.where(sa.exists().where(_ITEMS.c.attempt_id == attempts.c.id))
        return tuple(map(_outcome, connection.execute(query)))

    @staticmethod
    def _placed(connection: sa.Connection, campaign_id: str, among: Collection[str] | None) -> tuple[PlacedItem, ...]:
        rows = connection.execute(
            sa.select(
                *_ITEM,
                _ASSIGNMENTS.c.worker,
                _ASSIGNMENTS.c.accepted_at,
                _ASSIGNMENTS.c.submitted_at,
                _ASSIGNMENTS.c.place,
                _ASSIGNMENTS.c.confirmed_at,
                _ASSIGNMENTS.c.set_aside_at,
                _VOTES.c.ordinal,
                _VOTES.c.key,
                _VOTES.c.vote,
                _VOTES.c.created_at,
            )
            .join_from(_ITEMS, _ASSIGNMENTS)
            .outerjoin(_VOTES, sa.and_(_VOTES.c.item_id == _ITEMS.c.id, LAST_VOTE))
            .where(_of_validation(campaign_id), is_among(_ITEMS.c.attempt_id, among))
            .order_by(_ASSIGNMENTS.c.accepted_at, _ASSIGNMENTS.c.id, _ITEMS.c.position)
        )
        return tuple(_placed_item(row) for row in rows)


def _check_open(assignment: Assignment) -> None:
    if assignment.submitted_at is not None:
        raise Refused(said("refusals.submitted.answers"))
    if assignment.place is None:
        raise Refused(said("refusals.given_back"))


def _outcome(row: Any) -> Outcome:
    attempt_id, context_id, writer, work, number, *found = row
    adjudication = NOT_ADJUDICATED if found[0] is None else Adjudication(*found)
    return Outcome(attempt_id, context_id, writer, work, number, adjudication)


def _placed_item(row: Any) -> PlacedItem:
    item = ValidationItem(row.id, row.assignment_id, row.position, row.context_id, row.attempt_id, row.gold, row.steps)
    vote = None if row.ordinal is None else ValidationVote(row.id, row.ordinal, row.key, row.vote, row.created_at)
    counts = row.confirmed_at is not None
    return PlacedItem(
        item,
        row.worker,
        row.accepted_at,
        counts=counts,
        held=not counts and row.set_aside_at is None and (row.submitted_at is not None or row.place is not None),
        handed_in=row.submitted_at is not None,
        vote=vote,
    )


def _item_rows(assignment: Assignment, chosen: Sequence[Chosen]) -> list[dict[str, Any]]:
    return [
        {
            "id": short_hash(assignment.id, position),
            "assignment_id": assignment.id,
            "position": position,
            "campaign_id": assignment.campaign_id,
            "context_id": context_id,
            "attempt_id": attempt_id,
            "gold": gold,
        }
        for position, (context_id, attempt_id, gold) in enumerate(chosen)
    ]


def _taken(connection: sa.Connection, campaign_id: str, hit: str, worker: str, registration: str) -> Assignment | None:
    query = sa.select(*COLUMNS).where(_of_validation(campaign_id))
    row = connection.execute(query.filter_by(hit=hit, registration=registration)).one_or_none()
    return None if row is None else of_worker(Assignment(*row), worker)


def _next_id(connection: sa.Connection, campaign_id: str, worker: str) -> str:
    taken = sa.select(sa.func.count()).select_from(_ASSIGNMENTS).where(_of_validation(campaign_id), is_by(worker))
    before = connection.scalar(taken)
    return short_hash(campaign_id, "validation", worker, before)


def _of_validation(campaign_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(_ASSIGNMENTS.c.campaign_id == campaign_id, _ASSIGNMENTS.c.stage == Stage.VALIDATION)
