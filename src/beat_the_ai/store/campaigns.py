"""Campaigns, their contexts and HITs: what is on offer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import tables
from beat_the_ai.store.batches import BATCH, ROWS_AT_ONCE, batched
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import Campaign, ContextText, Hit, Round
from beat_the_ai.store.rounds import exists, insert, is_closed

Brief = Callable[[Context, int], Mapping[str, Any]]  # what a slot of a context asks for in particular
MAY_COUNT = sa.exists().where(  # of a HIT: somebody has handed it in, and the crowd has yet to confirm that
    tables.assignments.c.hit_id == tables.hits.c.id,
    tables.assignments.c.submitted_at.is_not(None),
    tables.assignments.c.confirmed_at.is_(None),
    tables.assignments.c.set_aside_at.is_(None),
)
OF_OPEN_ROUND = sa.exists().where(  # of a context
    tables.rounds.c.campaign_id == tables.contexts.c.campaign_id,
    tables.rounds.c.number == tables.contexts.c.round,
    tables.rounds.c.closed_at.is_(None),
)


def nothing_particular(_context: Context, _slot: int) -> Mapping[str, Any]:
    return {}


def hit_id(campaign_id: str, context_id: str, slot: int) -> str:
    """The id that a HIT has, or will have once it is offered."""
    return short_hash(campaign_id, context_id, slot)


@dataclass(frozen=True)
class Offering:
    """Contexts of a round with `slots` HITs each, `most` in all: every context once before any of them twice.

    `part_of` maps contexts to the parts of the dataset that new ones are kept with.
    """

    contexts: Sequence[Context]
    round_number: int
    slots: int
    most: int | None = None
    brief: Brief = nothing_particular
    part_of: Mapping[str, str] = field(default_factory=dict)


_PAUSED_AT = sa.select(tables.campaigns.c.paused_at).where(tables.campaigns.c.id == sa.bindparam("campaign"))


class Campaigns:
    """Queries on campaigns, contexts and HITs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, campaign: Campaign, terms: Mapping[str, Any] | None = None, *, first_round: int = 1) -> Campaign:
        """Store a new campaign and its first round, with these terms; or give back the campaign of that id.

        Raises `Refused` when task or seed differ from it.
        """
        first = Round(campaign.id, first_round, terms or {}, campaign.created_at)
        try:
            with self._database.writing() as connection:
                connection.execute(sa.insert(tables.campaigns).values(**campaign.__dict__))
                insert(connection, first)
            return campaign
        except sa.exc.IntegrityError:  # it is there, perhaps since a moment ago
            existing = self.get(campaign.id)
        if (existing.task, existing.seed) != (campaign.task, campaign.seed):
            raise Refused(
                f"The store already holds a campaign {campaign.id!r} with task {existing.task!r} and seed "
                f"{existing.seed}; {campaign.task!r} with seed {campaign.seed} was asked for. Name another one."
            )
        return existing

    def get(self, campaign_id: str) -> Campaign:
        with self._database.reading() as connection:
            row = connection.execute(sa.select(tables.campaigns).filter_by(id=campaign_id)).one_or_none()
        if row is None:
            raise UnknownName("campaign", campaign_id, self.ids())
        return Campaign(**row._mapping)

    def amend(self, campaign: Campaign) -> None:
        """Store another configuration of a campaign. The caller has checked that it may change so."""
        amended = sa.update(tables.campaigns).filter_by(id=campaign.id).values(config=dict(campaign.config))
        with self._database.writing() as connection:
            connection.execute(amended)

    def is_paused(self, campaign_id: str) -> bool:
        """Asked at each registration, as `Rounds.is_closed`."""
        rows = self._database.rows(_PAUSED_AT, {"campaign": campaign_id})
        return any(row.paused_at is not None for row in rows)

    def forget(self, campaign_id: str) -> bool:
        """Remove a campaign and what it offered. False, and nothing changes, when anybody has worked on it."""
        with contextlib.suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            for column in (
                tables.hits.c.campaign_id,
                tables.contexts.c.campaign_id,
                tables.model_servers.c.campaign_id,
                tables.transcript_blocks.c.campaign_id,
                tables.transcripts.c.campaign_id,
                tables.round_stages.c.campaign_id,
                tables.rounds.c.campaign_id,
                tables.campaigns.c.id,
            ):
                connection.execute(sa.delete(column.table).where(column == campaign_id))
            return True
        return False

    def ids(self) -> list[str]:
        with self._database.reading() as connection:
            return self._ids(connection)

    def _ids(self, connection: sa.Connection) -> list[str]:
        campaign_id = tables.campaigns.c.id
        return list(connection.scalars(sa.select(campaign_id).order_by(self._database.by_code_point(campaign_id))))

    def offer(
        self,
        campaign_id: str,
        contexts: Sequence[Context],
        *,
        round_number: int,
        slots: int,
        most: int | None = None,
        brief: Brief = nothing_particular,
        part_of: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, str]:
        """Add contexts with `slots` HITs each, `most` in all: every context once before any of them twice.

        Those already there stay. `part_of` maps contexts to the parts of the dataset that new ones are kept with.
        Returns `{HIT: context}` of these, in order. Raises `UnknownName`, and `Refused` when a context belongs to
        another round of the campaign, or would be new in a closed round.
        """
        with self._database.writing() as connection:
            lock_campaign(connection, campaign_id)
            offering = Offering(contexts, round_number, slots, most, brief, part_of)
            return add_hits(connection, campaign_id, offering)

    def offer_again(
        self,
        campaign_id: str,
        context_ids: Sequence[str],
        most: int | None = None,
        brief: Brief = nothing_particular,
    ) -> None:
        """One more HIT for each of these contexts, of which none gets more than `most`.

        Where one may still be done, somebody else has offered it meanwhile: there is none more. Nor is there in a
        closed round.
        """
        with self._database.writing() as connection:
            lock_campaign(connection, campaign_id)
            repeat_contexts(connection, campaign_id, context_ids, most, brief)

    def offered(self, campaign_id: str, round_number: int) -> dict[str, str]:
        """The HITs of a round, `{HIT: context}` in the order of slots."""
        table = tables.hits
        query = (
            sa.select(table.c.id, table.c.context_id)
            .join(tables.contexts)
            .where(table.c.campaign_id == campaign_id, tables.contexts.c.round == round_number)
            .order_by(table.c.slot, self._database.by_code_point(table.c.context_id))
        )
        with self._database.reading() as connection:
            return {row.id: row.context_id for row in connection.execute(query)}

    def open_hits(self, campaign_id: str, round_number: int) -> set[str]:
        """The HITs of a round that need somebody: they are not done, nor may be once the crowd confirms a hand-in."""
        query = self._without_outcome(campaign_id, round_number, tables.hits.c.id).where(~MAY_COUNT)
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def resting_hits(self, campaign_id: str) -> set[str]:
        """The HITs that were last handed in with nothing tried, for which a person has not refused to pay.

        Whoever offers them again may come to pay for one of them twice.
        """
        hits, pays = tables.hits, tables.pay_decisions
        empty, later = tables.assignments.alias("empty"), tables.assignments.alias("later")
        newer = pays.alias("newer")
        withheld = sa.exists().where(
            pays.c.assignment_id == empty.c.id,
            pays.c.pays.is_(False),
            ~sa.exists().where(newer.c.assignment_id == pays.c.assignment_id, newer.c.id > pays.c.id),
        )
        # Counted, not asked whether there are any: a join would read all assignments.
        counts = sa.and_(empty.c.hit_id == hits.c.id, empty.c.confirmed_at.is_not(None))
        last_at = sa.select(sa.func.max(empty.c.accepted_at)).where(counts).correlate(hits).scalar_subquery()
        may_be_paid = sa.select(sa.func.count()).select_from(empty).where(counts, ~withheld)
        taken = (
            sa.select(sa.func.count())
            .select_from(later)
            .where(later.c.hit_id == hits.c.id, later.c.confirmed_at.is_(None), later.c.set_aside_at.is_(None))
            .where(later.c.accepted_at > last_at)
        )
        query = sa.select(hits.c.id).where(hits.c.campaign_id == campaign_id, hits.c.outcome.is_(None))
        query = query.where(
            may_be_paid.correlate(hits).scalar_subquery() > 0, taken.correlate(hits).scalar_subquery() == 0
        )
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def all_done(self, campaign_id: str, round_number: int) -> bool:
        """Return whether a round has HITs, and each of them is done."""
        of_round = self._of_round(campaign_id, round_number, tables.hits.c.id).limit(1)
        with self._database.reading() as connection:
            is_open = connection.scalar(of_round.where(tables.hits.c.outcome.is_(None))) is not None
            return not is_open and connection.scalar(of_round) is not None

    def _without_outcome(self, campaign_id: str, round_number: int, column: sa.Column[str]) -> sa.Select[Any]:
        return self._of_round(campaign_id, round_number, column).where(tables.hits.c.outcome.is_(None))

    @staticmethod
    def _of_round(campaign_id: str, round_number: int, column: sa.Column[str]) -> sa.Select[Any]:
        of_round = sa.and_(tables.hits.c.campaign_id == campaign_id, tables.contexts.c.round == round_number)
        return sa.select(column).join(tables.contexts).where(of_round)

    def contexts_without_win(self, campaign_id: str, round_number: int, most: int) -> list[str]:
        """Contexts of a round whose HITs are done without a win: what `offer_again` offers with the same `most`.

        A closed round has none.
        """
        table, other, works = tables.hits, tables.hits.alias("other"), tables.works
        same = sa.and_(other.c.campaign_id == table.c.campaign_id, other.c.context_id == table.c.context_id)
        won = sa.exists().where(works.c.campaign_id == table.c.campaign_id, works.c.context_id == table.c.context_id)
        hits = sa.select(sa.func.count()).select_from(other).where(same).scalar_subquery()
        query = (
            sa.select(table.c.context_id)
            .join(tables.contexts)
            .where(table.c.campaign_id == campaign_id, tables.contexts.c.round == round_number)
            .where(table.c.outcome == sa.literal_column("'without_win'"), ~won)
            .where(hits < most, OF_OPEN_ROUND)
            .where(~sa.exists().where(same, other.c.outcome.is_(None)))
            .distinct()
        )
        with self._database.reading() as connection:
            return sorted(connection.scalars(query))

    def contexts(self, campaign_id: str) -> dict[int, list[Context]]:
        """`{round: contexts}` of everything that the campaign ever offered, in the order of the contexts' ids."""
        table = tables.contexts
        query = (
            sa.select(table)
            .where(table.c.campaign_id == campaign_id)
            .order_by(table.c.round, self._database.by_code_point(table.c.id))
        )
        found: dict[int, list[Context]] = {}
        with self._database.reading() as connection:
            for row in connection.execute(query):
                found.setdefault(row.round, []).append(_context_from(row))
        return found

    def texts(self, campaign_id: str) -> dict[int, list[ContextText]]:
        """`contexts`, without what is not for workers, which takes most of the room."""
        table = tables.contexts
        query = sa.select(table.c.round, table.c.id, table.c.text).where(table.c.campaign_id == campaign_id)
        query = query.order_by(table.c.round, self._database.by_code_point(table.c.id))
        found: dict[int, list[ContextText]] = {}
        with self._database.reading() as connection:
            for number, *text in connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)):
                found.setdefault(number, []).append(ContextText(*text))
        return found

    def parts(self, campaign_id: str) -> dict[str, str]:
        """Return `{context: part}` of the contexts that were divided when they were offered."""
        table = tables.contexts
        query = sa.select(table.c.id, table.c.part).where(table.c.campaign_id == campaign_id, table.c.part.is_not(None))
        with self._database.reading() as connection:
            return {row.id: row.part for row in connection.execute(query)}

    def number_of_contexts(self, campaign_id: str) -> int:
        """Return the number of contexts of all rounds."""
        query = sa.select(sa.func.count()).select_from(tables.contexts).filter_by(campaign_id=campaign_id)
        with self._database.reading() as connection:
            return int(connection.scalar(query) or 0)

    def hits(self, campaign_id: str) -> dict[str, int]:
        """`{HIT: round}` of everything that the campaign ever offered."""
        query = sa.select(tables.hits.c.id, tables.contexts.c.round).join_from(tables.hits, tables.contexts)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(tables.hits.c.campaign_id == campaign_id))
            return {row.id: row.round for row in rows}

    def without_outcome(self, campaign_id: str) -> dict[str, int]:
        """`{HIT: round}` of those that are not done."""
        query = sa.select(tables.hits.c.id, tables.contexts.c.round).join_from(tables.hits, tables.contexts)
        query = query.where(tables.hits.c.campaign_id == campaign_id, tables.hits.c.outcome.is_(None))
        with self._database.reading() as connection:
            return {row.id: row.round for row in connection.execute(query)}

    def numbers_of_hits(self, campaign_id: str) -> tuple[int, int]:
        """Return how many HITs the campaign ever offered, and how many of them are done."""
        table = tables.hits
        query = sa.select(sa.func.count(), sa.func.count(table.c.outcome)).where(table.c.campaign_id == campaign_id)
        with self._database.reading() as connection:
            offered, done = connection.execute(query).one()
            return offered, done

    def numbers_by_context(self, campaign_id: str) -> dict[str, tuple[int, int, int]]:
        """Return by context its round, how many HITs were offered on it, and how many of them are done."""
        hits, contexts = tables.hits, tables.contexts
        query = (
            sa.select(hits.c.context_id, contexts.c.round, sa.func.count(), sa.func.count(hits.c.outcome))
            .join_from(hits, contexts)
            .where(hits.c.campaign_id == campaign_id)
            .group_by(hits.c.context_id, contexts.c.round)
        )
        with self._database.reading() as connection:
            return {name: (number, offered, done) for name, number, offered, done in connection.execute(query)}

    def context_of(self, hits: Iterable[str]) -> dict[str, str]:
        """Return the contexts of these HITs."""
        query = sa.select(tables.hits.c.id, tables.hits.c.context_id)
        found: dict[str, str] = {}
        with self._database.reading() as connection:
            for names in batched(hits, BATCH):
                rows = connection.execute(query.where(tables.hits.c.id.in_(names)))
                found.update({row.id: row.context_id for row in rows})
        return found

    def hit(self, hit_id: str) -> Hit:
        rows = self._database.rows(_HIT, {"hit": hit_id})
        if not rows:
            raise UnknownName("HIT", hit_id, [])
        return hit_from(rows[0]._mapping)


def add_hits(connection: sa.Connection, campaign_id: str, offering: Offering) -> dict[str, str]:
    """Add contexts with HITs as `Campaigns.offer`, of a campaign that is locked."""
    contexts, number = offering.contexts, offering.round_number
    hit_rows: list[dict[str, Any]] = [
        _hit_row(campaign_id, context, slot, offering.brief) for slot in range(offering.slots) for context in contexts
    ][: offering.most]
    context_rows = [
        {
            "id": context.id,
            "text": context.text,
            "title": context.title,
            "private": dict(context.private),
            "part": offering.part_of.get(context.id),
        }
        for context in contexts
    ]
    if not exists(connection, campaign_id, number):
        raise UnknownName("round", str(number), [])
    _refuse_other_rounds(connection, campaign_id, {context.id for context in contexts}, number)
    new = _insert_missing(connection, tables.contexts, campaign_id, context_rows, {"round": number})
    new += _insert_missing(connection, tables.hits, campaign_id, hit_rows, {})
    if new and is_closed(connection, campaign_id, number):  # nothing of it is kept
        raise Refused(
            f"Round {number} of {campaign_id!r} is closed and offers no more HITs. Open the next round for more: "
            "beat-the-ai round open."
        )
    return {row["id"]: row["context_id"] for row in hit_rows}


def _refuse_other_rounds(connection: sa.Connection, campaign_id: str, context_ids: set[str], round_number: int) -> None:
    """A context never crosses rounds: the model of the next one may have been trained on it."""
    others = sa.select(tables.contexts.c.id, tables.contexts.c.round).where(
        tables.contexts.c.campaign_id == campaign_id, tables.contexts.c.round != round_number
    )
    for context_id, other in connection.execute(others):
        if context_id in context_ids:
            raise Refused(
                f"The context {context_id!r} belongs to round {other} of {campaign_id!r} and cannot be offered in "
                f"round {round_number}. Take other contexts."
            )


def _insert_missing(
    connection: sa.Connection,
    table: sa.Table,
    campaign_id: str,
    rows: Sequence[dict[str, Any]],
    extra: dict[str, Any],
) -> int:
    """Return how many were missing."""
    present = set(connection.scalars(sa.select(table.c.id).filter_by(campaign_id=campaign_id)))
    new = [{**row, **extra, "campaign_id": campaign_id} for row in rows if row["id"] not in present]
    if new:
        connection.execute(sa.insert(table), new)
    return len(new)


def repeat_contexts(
    connection: sa.Connection,
    campaign_id: str,
    context_ids: Sequence[str],
    most: int | None = None,
    brief: Brief = nothing_particular,
) -> None:
    """Add one more HIT for each context as `Campaigns.offer_again`, of a campaign that is locked."""
    table = tables.hits
    slots = sa.select(table.c.context_id, sa.func.max(table.c.slot)).where(
        table.c.campaign_id == campaign_id, table.c.context_id.in_(context_ids)
    )
    last = {row[0]: row[1] for row in connection.execute(slots.group_by(table.c.context_id))}
    offered = sa.select(table.c.context_id).where(table.c.campaign_id == campaign_id, table.c.outcome.is_(None))
    open_ones = set(connection.scalars(offered.where(table.c.context_id.in_(context_ids))))
    repeated = sa.select(tables.contexts).where(
        tables.contexts.c.campaign_id == campaign_id, tables.contexts.c.id.in_(last), OF_OPEN_ROUND
    )
    context = {row.id: _context_from(row) for row in connection.execute(repeated)}
    rows = [
        {**_hit_row(campaign_id, context[name], last[name] + 1, brief), "campaign_id": campaign_id}
        for name in context_ids
        if name in context and name not in open_ones and (most is None or last[name] + 1 < most)
    ]
    if rows:
        connection.execute(sa.insert(table), rows)


def _hit_row(campaign_id: str, context: Context, slot: int, brief: Brief) -> dict[str, Any]:
    name = hit_id(campaign_id, context.id, slot)
    return {"id": name, "context_id": context.id, "slot": slot, "brief": dict(brief(context, slot)) or None}


def _context_from(row: Any) -> Context:
    return Context(row.id, row.text, row.title, row.private)


def select_hits(*columns: Any) -> sa.Select[Any]:
    """HITs with their contexts; `columns` come in addition."""
    hits, contexts = tables.hits, tables.contexts
    return sa.select(
        hits.c.id.label("hit_id"),
        hits.c.campaign_id,
        hits.c.slot,
        hits.c.brief,
        contexts.c.id.label("context_id"),
        contexts.c.round,
        contexts.c.text,
        contexts.c.title,
        contexts.c.private,
        *columns,
    ).join_from(hits, contexts)


_HIT = select_hits().where(tables.hits.c.id == sa.bindparam("hit"))


def hit_from(row: Any) -> Hit:
    context = Context(id=row["context_id"], text=row["text"], title=row["title"], private=row["private"])
    return Hit(row["hit_id"], row["campaign_id"], context, row["round"], row["slot"], row["brief"] or {})


def now() -> datetime:
    """The time as the store keeps it: aware, UTC."""
    return datetime.now(timezone.utc)
