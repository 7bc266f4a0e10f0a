"""Attempts, and the acceptance of the HITs that they are made in. Nothing here is ever deleted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import tables, transcripts, works
from beat_the_ai.store.arms import ArmBlocks, draw
from beat_the_ai.store.assignments import COLUMNS, find, insert, is_among, is_by, of_worker
from beat_the_ai.store.batches import BATCH, ROWS_AT_ONCE, batched
from beat_the_ai.store.campaigns import MAY_COUNT, hit_from, select_hits
from beat_the_ai.store.discards import discarded
from beat_the_ai.store.records import (
    Assignment,
    Attempt,
    AttemptInCampaign,
    AttemptResult,
    ModelCounts,
    Telemetry,
    WrittenWork,
)
from beat_the_ai.store.won import DOUBTED, ON_HOLD, WON

TAKEN_OVER = "refusals.taken_over"
WriterCounts = dict[str, tuple[int, int]]
"""By writer the attempts that beat the model, of those that were not taken back."""

# Built once: these run for every attempt, and building a statement costs more than running it.
_OF_ASSIGNMENT = tables.attempts.c.assignment_id == sa.bindparam("assignment")
_ATTEMPTS = sa.select(tables.attempts).where(_OF_ASSIGNMENT).order_by(tables.attempts.c.ordinal)
_HAS_KEY = tables.attempts.c.key == sa.bindparam("key")
_BY_KEY = sa.select(tables.attempts).where(_OF_ASSIGNMENT, _HAS_KEY)
_LOCK = (
    sa.select(tables.assignments.c.submitted_at, tables.assignments.c.place)
    .where(tables.assignments.c.id == sa.bindparam("assignment"))
    .with_for_update()
)
_MADE = sa.select(sa.func.count()).select_from(tables.attempts).where(_OF_ASSIGNMENT)
_IS_OPEN = sa.exists().where(
    tables.assignments.c.id == sa.bindparam("assignment"),
    tables.assignments.c.submitted_at.is_(None),
    tables.assignments.c.place.is_not(None),
)
_MINE, _MY_HIT = tables.assignments.alias("mine"), tables.hits.alias("my_hit")
_COUNTS = sa.and_(  # of another worker's attempts
    tables.attempts.c.retracted_at.is_(None),
    tables.assignments.c.worker.not_in(discarded(_MY_HIT.c.campaign_id)),
    # whoever had this very HIT before and did not hand it in has lost it
    sa.or_(tables.assignments.c.submitted_at.is_not(None), tables.assignments.c.hit_id != _MINE.c.hit_id),
)
_REPEATS = (  # the attempts that leave no room for one with the same fingerprint; all of one's own do
    sa.select(tables.attempts.c.id)
    .join_from(tables.attempts, tables.assignments)
    .join(tables.hits)
    .join(_MINE, _MINE.c.id == sa.bindparam("assignment"))
    .join(_MY_HIT, _MY_HIT.c.id == _MINE.c.hit_id)
    .where(
        tables.attempts.c.fingerprint == sa.bindparam("fingerprint"),
        tables.hits.c.campaign_id == _MY_HIT.c.campaign_id,
        tables.hits.c.context_id == _MY_HIT.c.context_id,
        tables.assignments.c.set_aside_at.is_(None),
        sa.not_(sa.and_(tables.attempts.c.assignment_id == _MINE.c.id, _HAS_KEY)),
        sa.or_(tables.assignments.c.worker == _MINE.c.worker, _COUNTS),
    )
)
_A_REPEAT = _REPEATS.limit(1)
_LOCK_CONTEXT = (
    sa.select(tables.contexts.c.id)
    .join_from(tables.contexts, tables.hits)
    .join(tables.assignments, tables.assignments.c.hit_id == tables.hits.c.id)
    .where(tables.assignments.c.id == sa.bindparam("assignment"))
    .with_for_update(of=tables.contexts, key_share=True)
)
_ADD = (
    sa.insert(tables.attempts)
    .from_select(
        [column.name for column in tables.attempts.c],
        sa.select(*(sa.bindparam(column.name, type_=column.type) for column in tables.attempts.c)).where(
            _IS_OPEN,
            _MADE.scalar_subquery() == sa.bindparam("made"),
            ~sa.exists().where(_OF_ASSIGNMENT, _HAS_KEY),
            ~_REPEATS.exists(),
        ),
    )
    .execution_options(preserve_rowcount=True)
)
_HAD_BY = (
    sa.select(tables.hits.c.campaign_id, tables.hits.c.context_id)
    .join_from(tables.assignments, tables.hits, tables.assignments.c.hit_id == tables.hits.c.id)
    .where(tables.assignments.c.worker == sa.bindparam("worker"), tables.assignments.c.set_aside_at.is_(None))
)
_HIT = (
    sa.select(tables.hits.c.campaign_id, tables.contexts.c.round)
    .join_from(tables.contexts, tables.hits)
    .where(tables.hits.c.id == sa.bindparam("hit"))
)
_LOCK_HIT = _HIT.with_for_update(of=tables.hits)
_OF_HIT = sa.select(*COLUMNS).where(tables.assignments.c.hit_id == sa.bindparam("hit"))
_FIELDS_OF_ATTEMPT = [tables.attempts.c[field.name] for field in fields(Attempt)]
_INSERT_TELEMETRY = sa.insert(tables.telemetry)


class Repeated(InvalidInput):
    """A work that repeats another one on the same context, whose attempt still counts."""

    def __init__(self) -> None:
        super().__init__("work", "This has been written here already. Please write something else; no try was used up.")


class Attempts:
    """Queries on attempts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def accept(
        self,
        hit_id: str,
        worker: str,
        registration: str,
        at: datetime,
        *,
        stage: Stage = Stage.WRITING,
        arms: ArmBlocks | None = None,
    ) -> tuple[Assignment, bool]:
        """Record that a worker took a HIT. The same HIT and registration again give the same assignment.

        Returns the assignment, and whether it is new.

        Whoever held the HIT before loses it, unless it is the sample HIT of the screening, which many hold. Raises
        `Refused` when the registration is another worker's.

        In a round with `arms` the worker is drawn into one of them with the first HIT, in the same transaction.

        Its id tells the HIT and how often that was taken before, so that the same campaign has the same ids (and with
        them the same draws) whichever worker gets which HIT.
        """

        def accept(connection: sa.Connection) -> tuple[Assignment, bool]:
            arm = None if arms is None else self._arm(connection, hit_id, worker, arms, at)
            offered = connection.execute(_LOCK_HIT, {"hit": hit_id}).one_or_none()
            if offered is None:
                raise UnknownName("HIT", hit_id, [])
            taken = [Assignment(*row) for row in connection.execute(_OF_HIT, {"hit": hit_id})]
            for known in taken:
                if known.registration == registration:
                    return of_worker(known, worker), False
            name = short_hash(hit_id, len(taken))
            place = name if stage is Stage.SCREENING else hit_id
            which = (name, offered.campaign_id, stage, hit_id)
            made = Assignment(*which, worker, registration, at, round=offered.round, place=place, arm=arm)
            insert(connection, made, takes_over=any(known.place == place for known in taken))
            return made, True

        return self._database.write(accept)

    @staticmethod
    def _arm(connection: sa.Connection, hit_id: str, worker: str, arms: ArmBlocks, at: datetime) -> str | None:
        """Return the worker's arm in the round of a HIT, if there is such a HIT; before the HIT is locked."""
        of = connection.execute(_HIT, {"hit": hit_id}).one_or_none()
        return None if of is None else draw(connection, of.campaign_id, of.round, worker, arms, at)

    def contexts_had_by(self, worker: str) -> set[tuple[str, str]]:
        """The contexts of which the worker ever took a HIT, by campaign and name.

        What was set aside is not the worker's.
        """
        return {(row.campaign_id, row.context_id) for row in self._database.rows(_HAD_BY, {"worker": worker})}

    def session(self, assignment_id: str) -> tuple[Assignment, list[Attempt]]:
        """An assignment and its attempts, retracted ones included, in the order in which they were made."""
        with self._database.reading() as connection:
            taken = find(connection, assignment_id)
            attempts = connection.execute(_ATTEMPTS, {"assignment": assignment_id})
            return taken, [Attempt(**attempt._mapping) for attempt in attempts]

    def of_assignment(self, assignment_id: str) -> list[Attempt]:
        """The attempts of `session` alone; none for an assignment that does not exist."""
        with self._database.reading() as connection:
            return [Attempt(**row._mapping) for row in connection.execute(_ATTEMPTS, {"assignment": assignment_id})]

    def refuse_repeated(self, assignment_id: str, key: str, fingerprint: str) -> None:
        """Raises `Repeated`."""
        names = {"assignment": assignment_id, "key": key, "fingerprint": fingerprint}
        if self._database.rows(_A_REPEAT, names):
            raise Repeated

    def add(self, attempt: Attempt, telemetry: Telemetry | None = None) -> Attempt:
        """Make an attempt durable. Where its key was stored before, that attempt is given back and nothing changes.

        Raises `Refused` when the assignment was submitted, when somebody else has its HIT, or when another attempt took
        its ordinal meanwhile, and `Repeated`.
        """

        def add(connection: sa.Connection) -> Attempt:
            if connection.dialect.name != "sqlite":  # where one transaction writes at a time
                self._lock(connection, attempt.assignment_id)
                connection.execute(_LOCK_CONTEXT, {"assignment": attempt.assignment_id})
            names = {"assignment": attempt.assignment_id, "made": attempt.ordinal - 1}
            if connection.execute(_ADD, {**vars(attempt), **names}).rowcount == 1:
                if telemetry is not None:
                    connection.execute(_INSERT_TELEMETRY, {"attempt_id": attempt.id, **vars(telemetry)})
                return attempt
            return self._not_added(connection, attempt)

        return self._database.write(add)

    def _not_added(self, connection: sa.Connection, attempt: Attempt) -> Attempt:
        standing = self._lock(connection, attempt.assignment_id)
        keys = {"assignment": attempt.assignment_id, "key": attempt.key}
        known = connection.execute(_BY_KEY, keys).one_or_none()
        if known is not None:
            return Attempt(**known._mapping)
        if standing.submitted_at is not None:
            raise Refused(said("refusals.submitted.add"))
        if standing.place is None:
            raise Refused(said(TAKEN_OVER))
        if connection.execute(_A_REPEAT, {**keys, "fingerprint": attempt.fingerprint}).first() is not None:
            raise Repeated
        raise Refused(said("refusals.being_checked"))

    @staticmethod
    def _lock(connection: sa.Connection, assignment_id: str) -> sa.Row[Any, Any]:
        """Let nobody else change the assignment or its attempts until the transaction ends. Its hand-in and its place.

        SQLite has one writer at a time anyway; PostgreSQL would let a submission come between a check and a write.
        """
        row = connection.execute(_LOCK, {"assignment": assignment_id}).one_or_none()
        if row is None:
            raise UnknownName("assignment", assignment_id, [])
        return row

    def mark(self, assignment_id: str, attempt_id: str, **marks: Any) -> None:
        """Set `retracted_at`, `flag_reason`, `flag_note` or `explanation`.

        Raises `Refused` when the assignment was submitted, or somebody else has its HIT, and `UnknownName` when the
        attempt is not of this one.
        """

        def mark(connection: sa.Connection) -> None:
            standing = self._lock(connection, assignment_id)
            if standing.submitted_at is not None:
                raise Refused(said("refusals.submitted.change"))
            if standing.place is None:
                raise Refused(said(TAKEN_OVER))
            changed = connection.execute(
                sa.update(tables.attempts).filter_by(id=attempt_id, assignment_id=assignment_id).values(**marks)
            )
            if changed.rowcount == 0:
                raise UnknownName("attempt_id", attempt_id, [])

        self._database.write(mark)

    def settle_doubts(self, attempt_id: str, *, admitted: bool) -> bool:
        """A reviewer's word on an attempt that is doubted. Whether it changes anything. Raises `UnknownName`."""
        doubted = sa.and_(tables.attempts.c.id == attempt_id, DOUBTED)
        made_in = sa.select(tables.attempts.c.assignment_id).where(doubted)

        def settle(connection: sa.Connection) -> bool:
            if (assignment := connection.scalar(made_in)) is not None:
                self._lock(connection, assignment)  # it may begin to count in this moment
            row = connection.execute(
                sa.select(tables.attempts.c.admitted).where(doubted).with_for_update()
            ).one_or_none()
            if row is None:
                raise UnknownName("ATTEMPT", attempt_id, [])
            connection.execute(sa.update(tables.attempts).where(doubted).values(admitted=admitted))
            works.admit(connection, attempt_id, admitted=admitted)
            transcripts.write_again(connection, attempt_id)
            return bool(row.admitted is not admitted)

        return self._database.write(settle)

    def doubtful(self, campaign_id: str) -> Iterator[AttemptInCampaign]:
        """Return the doubted attempts, settled or not, in the order of `of_campaign`."""
        table = tables.attempts
        query = sa.select(table.c.assignment_id).join_from(table, tables.assignments).distinct()
        with self._database.reading() as connection:
            doubted = connection.scalars(query.where(DOUBTED, written_in(campaign_id))).all()
        which = sa.and_(DOUBTED, is_among(table.c.assignment_id, doubted))
        return self._of_campaign(campaign_id, which) if doubted else iter(())

    def handed_in_hits(self, campaign_id: str) -> set[str]:
        """The ids of the HITs that need nobody: they are done, or may be once the crowd confirms what was handed in."""
        return self._hits(campaign_id, sa.or_(tables.hits.c.outcome.is_not(None), MAY_COUNT))

    def done_hits(self, campaign_id: str) -> set[str]:
        """The ids of the HITs that are done: something was tried in them, or nobody else is asked to."""
        return self._hits(campaign_id, tables.hits.c.outcome.is_not(None))

    def _hits(self, campaign_id: str, condition: sa.ColumnElement[bool]) -> set[str]:
        query = sa.select(tables.hits.c.id).where(tables.hits.c.campaign_id == campaign_id, condition)
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def hardly_tried(self, campaign_id: str, least: int) -> set[str]:
        """The assignments that count with fewer than so many attempts."""
        tried = sa.exists().where(tables.attempts.c.assignment_id == tables.assignments.c.id)
        counts = sa.and_(written_in(campaign_id), tables.assignments.c.confirmed_at.is_not(None))
        query = sa.select(tables.assignments.c.id).where(counts, ~tried.where(tables.attempts.c.ordinal == least))
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def contexts_with_a_win(self, campaign_id: str) -> set[str]:
        """The contexts on which an attempt that counts beat the model."""
        query = (
            sa.select(tables.hits.c.context_id)
            .join(tables.assignments, tables.assignments.c.hit_id == tables.hits.c.id)
            .join(tables.attempts, tables.attempts.c.assignment_id == tables.assignments.c.id)
            .where(
                tables.hits.c.campaign_id == campaign_id,
                tables.assignments.c.confirmed_at.is_not(None),
                WON,
            )
            .distinct()
        )
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def tries(
        self, campaign_id: str, worker: str | None = None, among: Collection[str] | None = None
    ) -> dict[str, int]:
        """Return the tries by assignment: attempts, or steps of a screening. Assignments without one are left out."""
        responses, screenings, assignments = tables.screening_responses, tables.screenings, tables.assignments
        made = sa.select(assignments.c.id, sa.func.count()).select_from(assignments).group_by(assignments.c.id)
        made = made.where(written_in(campaign_id), is_by(worker), is_among(assignments.c.id, among))
        attempts = made.join(tables.attempts, tables.attempts.c.assignment_id == assignments.c.id)
        steps = made.join(screenings, screenings.c.assignment_id == assignments.c.id).join(responses)
        found: Counter[str] = Counter()
        with self._database.reading() as connection:
            for query in (attempts, steps):
                found.update({row[0]: row[1] for row in connection.execute(query)})
        return dict(found)

    def unexplained(
        self, campaign_id: str, worker: str | None = None, among: Collection[str] | None = None
    ) -> set[str]:
        """The assignments with a win, not taken back, of which its writer explains nothing."""
        table = tables.attempts
        query = (
            sa.select(table.c.assignment_id)
            .join(tables.assignments, tables.assignments.c.id == table.c.assignment_id)
            .where(written_in(campaign_id), is_by(worker))
            .where(is_among(tables.assignments.c.id, among))
            .where(table.c.fooled.is_(True), table.c.retracted_at.is_(None), table.c.explanation.is_(None))
            .distinct()
        )
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def first_round(self, campaign_id: str, worker: str) -> int | None:
        """The first round in which a worker has tried anything; None for one who never did. What was set aside is not
        the worker's.
        """
        query = (
            sa.select(sa.func.min(tables.assignments.c.round))
            .join_from(tables.assignments, tables.hits)
            .join(tables.attempts, tables.attempts.c.assignment_id == tables.assignments.c.id)
            .where(tables.hits.c.campaign_id == campaign_id, tables.assignments.c.worker == worker)
            .where(tables.assignments.c.set_aside_at.is_(None))
        )
        with self._database.reading() as connection:
            number: int | None = connection.scalar(query)
        return number

    def counts(self, campaign_id: str, without: Collection[str] = ()) -> tuple[list[ModelCounts], WriterCounts]:
        """Count how `kept` attempts went, by model, in the order of the models' names and hashes, and by writer.

        The work of the writers in `without` is left out.
        """
        table, retracted = tables.attempts, tables.attempts.c.retracted_at.is_not(None)
        fooled = sa.and_(table.c.fooled.is_(True), ~retracted)
        sums = [sa.func.sum(sa.case((each, 1), else_=0)) for each in (retracted, fooled)]
        # Outer, and by worker first: else SQLite looks up the assignment of every attempt, and sorts them.
        query = (
            sa.select(tables.assignments.c.worker, table.c.model_name, table.c.model_hash, sa.func.count(), *sums)
            .join_from(tables.assignments, table, isouter=True)
            .where(written_in(campaign_id), tables.assignments.c.confirmed_at.is_not(None))
            .where(tables.assignments.c.worker.not_in(discarded(campaign_id)))
            .group_by(tables.assignments.c.worker, table.c.model_name, table.c.model_hash)
        )
        numbers: defaultdict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
        writers: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        with self._database.reading() as connection:
            for worker, name, digest, *found in connection.execute(query):
                if name is not None and worker not in without:
                    attempts, taken_back, wins = found
                    numbers[name, digest].append((attempts, taken_back, wins))
                    won, judged = writers[worker]
                    writers[worker] = won + wins, judged + attempts - taken_back
        counts = [ModelCounts(*model, *map(sum, zip(*each, strict=True))) for model, each in sorted(numbers.items())]
        return counts, dict(writers)

    def writers(self, campaign_id: str) -> list[tuple[str, str]]:
        """Every (context id, worker) such that an attempt of the worker counts there, in no order."""
        query = (
            sa.select(tables.hits.c.context_id, tables.assignments.c.worker)
            .join(tables.assignments, tables.assignments.c.hit_id == tables.hits.c.id)
            .join(tables.attempts, tables.attempts.c.assignment_id == tables.assignments.c.id)
            .where(tables.hits.c.campaign_id == campaign_id, tables.assignments.c.confirmed_at.is_not(None))
            .distinct()
        )
        with self._database.reading() as connection:
            return [(row.context_id, row.worker) for row in connection.execute(query)]

    def without_writer(self, campaign_id: str) -> set[str]:
        """Return the contexts with a HIT that is done and that nobody has handed in: its writer was erased."""
        handed_in = sa.exists().where(
            tables.assignments.c.hit_id == tables.hits.c.id, tables.assignments.c.confirmed_at.is_not(None)
        )
        done = sa.and_(tables.hits.c.campaign_id == campaign_id, tables.hits.c.outcome.is_not(None))
        with self._database.reading() as connection:
            return set(connection.scalars(sa.select(tables.hits.c.context_id).where(done, ~handed_in)))

    def telemetry(self, campaign_id: str) -> dict[str, Telemetry]:
        """`{attempt: telemetry}` of those attempts that have any."""
        query = (
            sa.select(tables.telemetry)
            .join(tables.attempts, tables.attempts.c.id == tables.telemetry.c.attempt_id)
            .join(tables.assignments, tables.assignments.c.id == tables.attempts.c.assignment_id)
            .join(tables.hits, tables.hits.c.id == tables.assignments.c.hit_id)
            .where(tables.hits.c.campaign_id == campaign_id)
        )
        with self._database.reading() as connection:
            rows = [dict(row) for row in connection.execute(query).mappings()]
        return {row.pop("attempt_id"): Telemetry(**row) for row in rows}

    def telemetry_of(self, attempts: Iterable[str]) -> dict[str, Telemetry]:
        """`telemetry` of these attempts."""
        found: dict[str, Telemetry] = {}
        with self._database.reading() as connection:
            for names in batched(attempts, BATCH):
                query = sa.select(tables.telemetry).where(tables.telemetry.c.attempt_id.in_(names))
                rows = [dict(row) for row in connection.execute(query).mappings()]
                found.update({row.pop("attempt_id"): Telemetry(**row) for row in rows})
        return found

    def kept(self, campaign_id: str) -> Iterator[AttemptInCampaign]:
        """The attempts that count, without the work of revoked workers: what datasets and statistics are made of."""
        counts = tables.assignments.c.confirmed_at.is_not(None)
        return self._of_campaign(campaign_id, counts & tables.assignments.c.worker.not_in(discarded(campaign_id)))

    def numbers_by_worker(self, campaign_id: str) -> dict[str, int]:
        """Return `{worker: attempts}` of all that counts, retracted and discarded ones included."""
        worker = tables.assignments.c.worker
        query = (
            sa.select(worker, sa.func.count())
            .join_from(tables.assignments, tables.attempts)
            .where(written_in(campaign_id), tables.assignments.c.confirmed_at.is_not(None))
            .group_by(worker)
        )
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def of_assignments(self, assignments: Collection[str]) -> dict[str, list[Attempt]]:
        """`{assignment: attempts in order}`, of those that have any."""
        found: defaultdict[str, list[Attempt]] = defaultdict(list)
        table = tables.attempts
        query = sa.select(table).order_by(table.c.assignment_id, table.c.ordinal)
        with self._database.reading() as connection:
            for names in batched(assignments, BATCH):
                for row in connection.execute(query.where(table.c.assignment_id.in_(names))):
                    found[row.assignment_id].append(Attempt(**row._mapping))
        return found

    def results(self, assignments: Collection[str]) -> dict[str, list[AttemptResult]]:
        """As `of_assignments`, for all of a campaign: without what was written."""
        found: defaultdict[str, list[AttemptResult]] = defaultdict(list)
        table = tables.attempts
        query = sa.select(table.c.assignment_id, table.c.id, table.c.ordinal, WON, DOUBTED, ON_HOLD)
        query = query.order_by(table.c.assignment_id, table.c.ordinal)
        with self._database.reading() as connection:
            for names in batched(assignments, BATCH):
                for assignment, *result in connection.execute(query.where(table.c.assignment_id.in_(names))):
                    found[assignment].append(AttemptResult(*result))
        return found

    def of_hits(self, campaign_id: str, assignments: Sequence[str]) -> list[AttemptInCampaign]:
        """The attempts in these assignments."""
        found: list[AttemptInCampaign] = []
        for names in batched(assignments, BATCH):
            found += self._of_campaign(campaign_id, tables.assignments.c.id.in_(names))
        return found

    def written(self, campaign_id: str, since: datetime | None) -> Iterator[WrittenWork]:
        """Yield the works tried since a moment, or ever, in the order in which they were made. Streamed."""
        table, made_in = tables.attempts, tables.assignments
        context_id = sa.select(tables.hits.c.context_id).where(tables.hits.c.id == made_in.c.hit_id).scalar_subquery()
        query = (
            sa.select(table.c.id, table.c.created_at, made_in.c.worker, context_id, table.c.work)
            .join_from(table, made_in)
            .where(written_in(campaign_id))
            .order_by(table.c.created_at, self._database.by_code_point(table.c.id))
        )
        if since is not None:
            query = query.where(table.c.created_at >= since)
        with self._database.reading() as connection:
            for row in connection.execution_options(yield_per=1000).execute(query):
                yield WrittenWork(*row)

    def of_campaign(self, campaign_id: str, worker: str | None = None) -> Iterator[AttemptInCampaign]:
        """Every attempt, ordered by context, slot, assignment and ordinal: the same in every run. Streamed.

        What is discarded, or does not count, is in it too. For datasets and statistics take `kept`.
        """
        return self._of_campaign(campaign_id, is_by(worker))

    def _of_campaign(self, campaign_id: str, which: sa.ColumnElement[bool]) -> Iterator[AttemptInCampaign]:
        """Assignments and HITs are read once for all that was tried in them."""
        query = (
            sa.select(*_FIELDS_OF_ATTEMPT, tables.assignments.c.hit_id)
            .join_from(tables.assignments, tables.hits)
            .join(tables.attempts, tables.attempts.c.assignment_id == tables.assignments.c.id)
            .where(tables.hits.c.campaign_id == campaign_id, which)
            .order_by(
                self._database.by_code_point(tables.hits.c.context_id),
                tables.hits.c.slot,
                tables.assignments.c.id,
                tables.attempts.c.ordinal,
            )
        )
        with self._database.reading() as connection:
            for rows in connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)).partitions():
                taken = sa.select(*COLUMNS).where(tables.assignments.c.id.in_({row.assignment_id for row in rows}))
                offered = select_hits().where(tables.hits.c.id.in_({row.hit_id for row in rows}))
                made_in = {row.id: Assignment(*row) for row in connection.execute(taken)}
                hits = {row["hit_id"]: hit_from(row) for row in connection.execute(offered).mappings()}
                for row in rows:
                    yield AttemptInCampaign(Attempt(*row[:-1]), made_in[row.assignment_id], hits[row.hit_id])


def written_in(campaign_id: str) -> sa.ColumnElement[bool]:
    """Return the condition that assignments are of a campaign, and not of its validation."""
    of_campaign = tables.assignments.c.campaign_id == campaign_id
    return sa.and_(of_campaign, tables.assignments.c.stage != Stage.VALIDATION)
