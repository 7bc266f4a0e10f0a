"""The adjudication of each work that counts, stored beside it so that its votes are counted once.

A row appears in the transaction in which the work begins to count. The transaction in which a vote begins or ceases to
count invalidates the adjudication (`status` is none then). Making it takes the rules of the kind of task, which the
store does not know: the caller brings them (`Works.adjudicate`). If the rules have changed since the last time, all
adjudications are made again. A reader of several values checks afterwards whether one was invalidated meanwhile
(`Works.version`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused
from beat_the_ai.store import tables
from beat_the_ai.store.adjudication import IS_ASKED, UNKNOWN, CountingRules, Left, adjudicate_some, invalidate_where
from beat_the_ai.store.batches import BATCH, batched
from beat_the_ai.store.discards import uncounted_validators
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.won import DOUBTED, WON

MOST_TIMES_ANEW = 5
EMPTY_HAND_INS = 8  # of one HIT
TWO_RULES = (
    "Two versions of this software count the votes of this campaign at the same time, and not alike. Please try again "
    "later; whoever runs them has to end one of them."
)

_WORKS, _CONTEXTS, _ATTEMPTS = tables.works, tables.contexts, tables.attempts
_ASSIGNMENTS, _ITEMS, _VOTES = tables.assignments, tables.validation_items, tables.validation_votes
_GOLD, _STATES = tables.uncounted_gold, tables.adjudication_states


@dataclass(frozen=True)
class OpenWork:
    """A work that may want votes: `wanted` more beside those that count. `holders` are about to give some of them.

    `lot` is its place among works with as many votes.
    """

    attempt_id: str
    context_id: str
    writer: str
    votes: int
    wanted: int
    lot: str
    holders: Collection[str] = ()

    @property
    def missing(self) -> int:
        """Return how many more votes are wanted that nobody is about to give."""
        return max(0, self.wanted - len(self.holders))

    @property
    def rank(self) -> tuple[int, str]:
        """The least validated come first, in an order that the seed decides."""
        return self.votes + len(self.holders), self.lot

    def is_free_for(self, worker: str) -> bool:
        """As far as its writer and its holders go."""
        return worker != self.writer and worker not in self.holders


@dataclass(frozen=True)
class Totals:
    """The number of works with a final status, of kept ones among them, and of the votes on all works that count.

    `votes_saved` more votes would have made up the full number on works with a final status. `waiting` works have no
    final status yet, and validators are asked about them.
    """

    settled: int = 0
    kept: int = 0
    votes: int = 0
    votes_saved: int = 0
    waiting: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(*(one + another for one, another in zip(astuple(self), astuple(other), strict=True)))


_COLUMNS = [_WORKS.c[name] for name in ("attempt_id", "context_id", "writer", "votes", "wanted", "lot")]


def adding(*which: sa.ColumnElement[bool]) -> sa.Insert:
    """Insert the works that count by now and have no row yet."""
    known = sa.exists().where(_WORKS.c.attempt_id == _ATTEMPTS.c.id)
    names = ("attempt_id", "campaign_id", "round", "context_id", "writer")
    found = (
        sa.select(
            _ATTEMPTS.c.id,
            tables.hits.c.campaign_id,
            tables.assignments.c.round,
            tables.hits.c.context_id,
            tables.assignments.c.worker,
            *(sa.literal(value, _WORKS.c[name].type) for name, value in UNKNOWN.items()),
        )
        .join_from(tables.assignments, tables.hits)
        .join(_ATTEMPTS, _ATTEMPTS.c.assignment_id == tables.assignments.c.id)
        .where(tables.assignments.c.confirmed_at.is_not(None), WON, ~known, *which)
    )
    return sa.insert(_WORKS).from_select([*names, *UNKNOWN], found)


def _ending_hit(assignment: sa.ColumnElement[str]) -> sa.Update:
    """Write down what the HIT of an assignment that counts came to."""
    tried = sa.exists().where(_ATTEMPTS.c.assignment_id == assignment)
    has_won = tried.where(WON, ~DOUBTED)
    its_hit = sa.select(tables.assignments.c.hit_id).where(tables.assignments.c.id == assignment).scalar_subquery()
    same_hit = sa.and_(tables.assignments.c.hit_id == its_hit, tables.assignments.c.confirmed_at.is_not(None))
    hand_ins = sa.select(sa.func.count()).select_from(tables.assignments).where(same_hit).scalar_subquery()
    is_over = sa.or_(tried, hand_ins >= EMPTY_HAND_INS)
    known = tables.hits.c.outcome
    outcome = sa.case((has_won, "won"), (known.is_not(None), known), (is_over, "without_win"), else_=sa.null())
    return sa.update(tables.hits).where(tables.hits.c.id == its_hit).values(outcome=outcome)


# Built once: these run for every HIT, and building a statement costs more than running it.
_ASSIGNMENT: sa.BindParameter[str] = sa.bindparam("assignment")
_ADD_OF_ASSIGNMENT = adding(tables.assignments.c.id == _ASSIGNMENT)
_ADD_ATTEMPT = adding(_ATTEMPTS.c.id == sa.bindparam("attempt"))
_END_HIT = _ending_hit(_ASSIGNMENT)


def begin_to_count(connection: sa.Connection, assignment_id: str) -> None:
    """A writer's work counts from now on, and the HIT needs nobody else: unless nothing was tried.

    After `EMPTY_HAND_INS` nobody else is asked to try.
    """
    names = {"assignment": assignment_id}
    connection.execute(_ADD_OF_ASSIGNMENT, names)
    connection.execute(_END_HIT, names)


def admit(connection: sa.Connection, attempt_id: str, *, admitted: bool) -> None:
    """A work that was doubted counts from now on, or no more."""
    if admitted:
        connection.execute(_ADD_ATTEMPT, {"attempt": attempt_id})
    else:
        connection.execute(sa.delete(_WORKS).filter_by(attempt_id=attempt_id))


def invalidate(connection: sa.Connection, campaign_id: str, assignment_id: str) -> None:
    """Invalidate the works that a validation HIT has votes on, which begin or cease to count."""
    lock_campaign(connection, campaign_id)
    voted = sa.select(_ITEMS.c.attempt_id).where(_ITEMS.c.assignment_id == assignment_id)
    invalidate_where(connection, campaign_id, _WORKS.c.attempt_id.in_(voted.where(_ITEMS.c.attempt_id.is_not(None))))
    has_gold = sa.exists().where(_ITEMS.c.assignment_id == assignment_id, _ITEMS.c.gold.is_not(None))
    rounds = sa.select(_STATES.c.campaign_id, _STATES.c.round, sa.literal(assignment_id))
    rows = rounds.where(_STATES.c.campaign_id == campaign_id, has_gold)
    connection.execute(sa.insert(_GOLD).from_select(["campaign_id", "round", "assignment_id"], rows))


class Works:
    """Queries on works, and what votes come to."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def adjudicate(self, campaign_id: str, round_number: int, rules: CountingRules) -> int:
        """Adjudicate the works of a round whose adjudication is missing or invalid; next to nothing where none is.

        Returns the version of the adjudications, which holds until one is invalidated. Raises `Refused` where another
        process adjudicates by other rules meanwhile, again and again: neither would get on.
        """
        times_anew = 0
        while (version := self._adjudicated_version(campaign_id, round_number, rules)) is None:
            left = Left.SOME
            while left is not Left.NOTHING:
                left = self._database.write(
                    lambda connection: adjudicate_some(connection, campaign_id, round_number, rules)
                )
                times_anew += left is Left.EVERYTHING
                if times_anew > MOST_TIMES_ANEW:
                    raise Refused(TWO_RULES)
        return version

    def hits(self, campaign_id: str, round_number: int) -> list[tuple[str, str]]:
        """Return (HIT, writer) of each work of a round that counts and that no votes have thrown out."""
        query = (
            sa.select(_ASSIGNMENTS.c.hit, _WORKS.c.writer)
            .join_from(_WORKS, _ATTEMPTS, _ATTEMPTS.c.id == _WORKS.c.attempt_id)
            .join(_ASSIGNMENTS, _ASSIGNMENTS.c.id == _ATTEMPTS.c.assignment_id)
            .where(_WORKS.c.campaign_id == campaign_id, _WORKS.c.round == round_number)
            .where(sa.or_(_WORKS.c.kept, ~_WORKS.c.settled))
        )
        with self._database.reading() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def is_adjudicated(self, campaign_id: str, round_number: int, rules: CountingRules) -> bool:
        """Return whether all works of a round are adjudicated by these rules."""
        return self._adjudicated_version(campaign_id, round_number, rules) is not None

    def version(self, campaign_id: str, round_number: int) -> int:
        """Return the version of a round's adjudications: another one whenever some were invalidated."""
        query = sa.select(_STATES.c.version).filter_by(campaign_id=campaign_id, round=round_number)
        with self._database.reading() as connection:
            return int(connection.scalar(query) or 0)

    def _adjudicated_version(self, campaign_id: str, number: int, rules: CountingRules) -> int | None:
        """Return the version; None where works are to be adjudicated. It is read first: what follows is not older."""
        of_round = {"campaign_id": campaign_id, "round": number}
        known = sa.select(_STATES.c.version).filter_by(**of_round, rules=rules.name)
        unjudged = sa.select(_WORKS.c.attempt_id).filter_by(**of_round).where(_WORKS.c.status.is_(None)).limit(1)
        gold = sa.select(_GOLD.c.assignment_id).filter_by(**of_round).limit(1)
        with self._database.reading() as connection:
            version = connection.scalar(known)
            is_settled = connection.scalar(unjudged) is None and connection.scalar(gold) is None
        return version if is_settled else None

    def ask(self, campaign_id: str, round_number: int, contexts: Collection[str] | None) -> None:
        """From now on validators are asked about works of a round on these contexts, and on no others; None: on all.

        What changes is looked up first: nobody waits for that. What others have changed meanwhile stays as it is.
        """
        of_round = sa.select(_CONTEXTS.c.id, _CONTEXTS.c.asked)
        of_round = of_round.where(_CONTEXTS.c.campaign_id == campaign_id, _CONTEXTS.c.round == round_number)

        def look(connection: sa.Connection) -> list[dict[str, Any]]:
            wanted = [(row, contexts is None or row.id in contexts) for row in connection.execute(of_round)]
            return [{"name": row.id, "now": now} for row, now in wanted if row.asked is not now]

        with self._database.reading() as connection:
            if not look(connection):
                return
        name: sa.BindParameter[str] = sa.bindparam("name")
        mark = sa.update(_CONTEXTS).where(_CONTEXTS.c.campaign_id == campaign_id, _CONTEXTS.c.id == name)

        def ask(connection: sa.Connection) -> None:
            lock_campaign(connection, campaign_id)
            if not (changed := look(connection)):
                return
            connection.execute(mark.values(asked=sa.bindparam("now")), changed)
            for names in batched((row["name"] for row in changed), BATCH):
                on_these = (_WORKS.c.campaign_id == campaign_id, _WORKS.c.context_id.in_(names))
                invalidate_where(connection, campaign_id, *on_these)

        self._database.write(ask)

    def open_to(
        self,
        campaign_id: str,
        round_number: int,
        worker: str | None,
        *,
        without: Collection[str],
        most: int | None = None,
        contexts: Collection[str] | None = None,
    ) -> list[OpenWork]:
        """Works that want votes, the least voted first, on `contexts` or anywhere; nobody's in `without`.

        For a `worker` those that they have neither written nor voted on, nor begun to see step by step.
        """
        place = (_WORKS.c.campaign_id == campaign_id, _WORKS.c.round == round_number)
        query = sa.select(*_COLUMNS).where(*place, _WORKS.c.wanted > sa.literal_column("0"))
        query = query.order_by(_WORKS.c.votes, _WORKS.c.lot).limit(most)
        if without:
            query = query.where(_WORKS.c.writer.not_in(list(without)))
        if worker is not None:
            query = query.where(_WORKS.c.writer != worker, ~_had_by(worker))
        if contexts is not None:
            query = query.where(_WORKS.c.context_id.in_(list(contexts)))
        return self._open(query)

    def asked(
        self, campaign_id: str, round_number: int, *, without: Collection[str], attempts: Collection[str] | None = None
    ) -> list[OpenWork]:
        """The works of a round that validators are asked about, satisfied ones included: all, or those of these."""
        if attempts is not None and not attempts:
            return []
        query = sa.select(*_COLUMNS).where(IS_ASKED, _WORKS.c.writer.not_in(list(without)))
        query = query.where(_WORKS.c.round == round_number)
        if attempts is None:
            query = query.where(_WORKS.c.campaign_id == campaign_id)
        else:  # which are the campaign's: its name would have all of its works read
            query = query.where(_WORKS.c.attempt_id.in_(list(attempts)))
        return self._open(query.order_by(_WORKS.c.votes, _WORKS.c.lot))

    def _open(self, query: sa.Select[Any]) -> list[OpenWork]:
        with self._database.reading() as connection:
            return [OpenWork(*row) for row in connection.execute(query)]

    def had_by(self, worker: str, attempts: Collection[str]) -> set[str]:
        """Return the attempts among these about which a validator is asked no more."""
        query = sa.select(_WORKS.c.attempt_id).where(_WORKS.c.attempt_id.in_(list(attempts)), _had_by(worker))
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def uncounted_validators(self, campaign_id: str, round_number: int) -> set[str]:
        """Return the validators whose votes in a round do not count: they do badly on gold, or were revoked."""
        with self._database.reading() as connection:
            return set(connection.scalars(uncounted_validators(campaign_id, round_number)))

    def held(
        self, campaign_id: str, round_number: int, since: datetime, *, but_of: str | None = None
    ) -> dict[str, set[str]]:
        """`{attempt: validators}` whose votes may still come: they are at work, or the crowd has yet to confirm them.

        Without HITs that were taken before `since` and not handed in, and without the HIT `but_of`.
        """
        with self._database.reading() as connection:
            return held(connection, campaign_id, round_number, since, but_of=but_of)

    def texts(self, attempts: Collection[str]) -> dict[str, Mapping[str, Any]]:
        """`{attempt: work}`."""
        query = sa.select(_ATTEMPTS.c.id, _ATTEMPTS.c.work).where(_ATTEMPTS.c.id.in_(list(attempts)))
        with self._database.reading() as connection:
            return {row.id: row.work for row in connection.execute(query)}

    def confirmed(self, campaign_id: str, writer: str | None = None) -> set[str]:
        """Return the attempts that other people have confirmed, of everybody or of one writer."""
        query = sa.select(_WORKS.c.attempt_id).where(_WORKS.c.confirmed.is_(True))
        if writer is None:
            query = query.where(_WORKS.c.campaign_id == campaign_id)
        else:
            query = query.where(_WORKS.c.attempt_id.in_(_by(campaign_id, writer)))
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def confirmed_among(self, attempts: Iterable[str]) -> set[str]:
        """Return those of these attempts that other people have confirmed."""
        query = sa.select(_WORKS.c.attempt_id).where(_WORKS.c.confirmed.is_(True))
        found: set[str] = set()
        with self._database.reading() as connection:
            for names in batched(attempts, BATCH):
                found.update(connection.scalars(query.where(_WORKS.c.attempt_id.in_(names))))
        return found

    def totals(self, campaign_id: str, without: Collection[str]) -> dict[str, Totals]:
        """Sum up the works of each writer but those in `without`, in a campaign whose works are settled."""
        return self._totals(_WORKS.c.writer, campaign_id, without)

    def totals_by_context(self, campaign_id: str, without: Collection[str]) -> dict[str, Totals]:
        """Sum up the same works by context."""
        return self._totals(_WORKS.c.context_id, campaign_id, without)

    def _totals(self, by: sa.Column[str], campaign_id: str, without: Collection[str]) -> dict[str, Totals]:
        settled, kept = _WORKS.c.settled.is_(True), _WORKS.c.kept.is_(True)
        saved = sa.case((settled, _WORKS.c.votes_needed), else_=0)
        is_waiting = sa.and_(~settled, _WORKS.c.wanted > 0)
        settled_kept = sa.and_(settled, kept)
        sizes = [sa.case((each, 1), else_=0) for each in (settled, settled_kept, is_waiting)]
        counts = [*sizes[:2], _WORKS.c.votes, saved, sizes[2]]
        query = sa.select(by, *(sa.func.coalesce(sa.func.sum(each), 0) for each in counts))
        query = query.where(_WORKS.c.campaign_id == campaign_id, _WORKS.c.writer.not_in(list(without)))
        query = query.group_by(by)
        with self._database.reading() as connection:
            return {name: Totals(*sums) for name, *sums in connection.execute(query)}


def _by(campaign_id: str, writer: str) -> sa.Select[tuple[str]]:
    written = sa.select(_ATTEMPTS.c.id).join_from(_ASSIGNMENTS, _ATTEMPTS)
    return written.where(_ASSIGNMENTS.c.worker == writer, _ASSIGNMENTS.c.campaign_id == campaign_id)


def _had_by(worker: str) -> sa.ColumnElement[bool]:
    """There is a vote that counts, or some of it was shown step by step, whatever became of that HIT."""
    voted = sa.and_(_ASSIGNMENTS.c.confirmed_at.is_not(None), sa.exists().where(_VOTES.c.item_id == _ITEMS.c.id))
    begun = sa.and_(_ASSIGNMENTS.c.set_aside_at.is_(None), _ITEMS.c.steps > sa.literal_column("0"))
    return (
        sa.exists()
        .where(_ITEMS.c.attempt_id == _WORKS.c.attempt_id)
        .where(_ASSIGNMENTS.c.id == _ITEMS.c.assignment_id, _ASSIGNMENTS.c.worker == worker)
        .where(sa.or_(voted, begun))
    )


def held(
    connection: sa.Connection,
    campaign_id: str,
    number: int,
    since: datetime,
    *,
    but_of: str | None = None,
    attempts: Collection[str] | None = None,
) -> dict[str, set[str]]:
    """As `Works.held`, of all or of these attempts."""
    answered = sa.exists().where(_VOTES.c.item_id == _ITEMS.c.id)
    is_held = sa.and_(_ASSIGNMENTS.c.submitted_at.is_(None), _ASSIGNMENTS.c.place.is_not(None))
    at_work = sa.and_(is_held, _ASSIGNMENTS.c.accepted_at >= since)
    query = (
        sa.select(_ITEMS.c.attempt_id, _ASSIGNMENTS.c.worker)
        .join_from(_ASSIGNMENTS, _ITEMS)
        .where(_ASSIGNMENTS.c.campaign_id == campaign_id, _ITEMS.c.attempt_id.is_not(None))
        .where(_ASSIGNMENTS.c.confirmed_at.is_(None), _ASSIGNMENTS.c.set_aside_at.is_(None))
        .where(sa.or_(at_work, sa.and_(_ASSIGNMENTS.c.submitted_at.is_not(None), answered)))
        .where(_ASSIGNMENTS.c.worker.not_in(uncounted_validators(campaign_id, number)))
    )
    if but_of is not None:  # whoever held it and did not hand it in has lost it
        query = query.where(sa.or_(_ASSIGNMENTS.c.hit != but_of, _ASSIGNMENTS.c.submitted_at.is_not(None)))
    if attempts is not None:
        query = query.where(_ITEMS.c.attempt_id.in_(list(attempts)))
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in connection.execute(query):
        found[row.attempt_id].add(row.worker)
    return found


def have_room(
    connection: sa.Connection, campaign_id: str, number: int, since: datetime, hit: str, worker: str, chosen: set[str]
) -> bool:
    """Return whether each of these attempts wants a vote that nobody is about to give and this worker may give."""
    pending = held(connection, campaign_id, number, since, but_of=hit, attempts=chosen)
    query = sa.select(_WORKS.c.attempt_id, _WORKS.c.wanted).where(_WORKS.c.attempt_id.in_(list(chosen)))
    wanted = {row.attempt_id: row.wanted for row in connection.execute(query)}
    return all(
        wanted.get(name, 0) > len(pending.get(name, ())) and worker not in pending.get(name, ()) for name in chosen
    )
