"""Erasing a person from a store: text and answers are deleted, and the books keep amounts under a pseudonym.

The whole of a person's work goes: assignments, attempts, drafts, votes, screenings, and what others decided about
them. Works on which they voted are adjudicated again without their votes, as those of a revoked validator. Questions
that others answered about their work go with it; a HIT that had no other answers stays paid by a decision. HITs stay
done. Payments stay, with a random pseudonym and numbers for ids. The log of reviewers' actions is chained anew from
the first entry that named the person; a new entry says so, with the hash that the log ended with before. Transcripts
keep their hashes, and lose what entries about the person say.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused
from beat_the_ai.store import tables
from beat_the_ai.store.adjudication import invalidate_voted_by
from beat_the_ai.store.audit import replace_names
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.transcripts import redact

BY = "erasure"  # who stands beside what follows from one
STAYS_PAID = "All answers in this HIT were about work that its writer had erased."
UNSENT, CONFIRMED = "intent", "confirmed"  # states of a payment

_MINE = sa.select(tables.assignments.c.id).where(tables.assignments.c.worker == sa.bindparam("who"))
_WRITTEN = sa.select(tables.attempts.c.id).where(tables.attempts.c.assignment_id.in_(_MINE))
_ITEMS, _VOTES = tables.validation_items, tables.validation_votes
_GONE = sa.or_(_ITEMS.c.assignment_id.in_(_MINE), _ITEMS.c.attempt_id.in_(_WRITTEN))


def _by_worker(table: sa.Table) -> sa.ColumnElement[bool]:
    is_theirs: sa.ColumnElement[bool] = table.c.worker == sa.bindparam("who")
    return is_theirs


def _of(table: sa.Table, column: str, parents: sa.Table, key: str) -> sa.ColumnElement[bool]:
    """Return the condition of rows whose parent is the worker's."""
    return table.c[column].in_(sa.select(parents.c[key]).where(_by_worker(parents)))


# In the order of deletion: rows that refer to others come first.
ERASED: Mapping[sa.Table, sa.ColumnElement[bool]] = {
    _VOTES: _VOTES.c.item_id.in_(sa.select(_ITEMS.c.id).where(_GONE)),
    _ITEMS: _GONE,
    tables.works: tables.works.c.attempt_id.in_(_WRITTEN),
    tables.telemetry: tables.telemetry.c.attempt_id.in_(_WRITTEN),
    tables.attempts: tables.attempts.c.assignment_id.in_(_MINE),
    tables.edits: tables.edits.c.assignment_id.in_(_MINE),
    tables.suggestions: tables.suggestions.c.assignment_id.in_(_MINE),
    tables.uncounted_gold: tables.uncounted_gold.c.assignment_id.in_(_MINE),
    tables.reviews: tables.reviews.c.assignment_id.in_(_MINE),
    tables.review_draws: tables.review_draws.c.assignment_id.in_(_MINE),
    tables.pay_decisions: tables.pay_decisions.c.assignment_id.in_(_MINE),
    tables.screening_responses: _of(tables.screening_responses, "screening_id", tables.screenings, "id"),
    tables.screenings: _by_worker(tables.screenings),
    tables.unreliable_validators: _by_worker(tables.unreliable_validators),
    tables.worker_tallies: _by_worker(tables.worker_tallies),
    tables.reviewer_tallies: _by_worker(tables.reviewer_tallies),
    tables.standing_answers: _of(tables.standing_answers, "event_id", tables.standing_events, "id"),
    tables.standing_events: _by_worker(tables.standing_events),
    tables.revocation_outcomes: _of(tables.revocation_outcomes, "proposal_id", tables.revocation_proposals, "id"),
    tables.revocation_proposals: _by_worker(tables.revocation_proposals),
    tables.form_answers: _by_worker(tables.form_answers),
    tables.letter_answers: _of(tables.letter_answers, "letter_id", tables.letters, "id"),
    tables.letters: _by_worker(tables.letters),
    tables.board_names: _by_worker(tables.board_names),
    tables.arm_draws: _by_worker(tables.arm_draws),
    tables.assignments: _by_worker(tables.assignments),
}


@dataclass(frozen=True)
class Holdings:
    """The data of one worker in a store: the number of rows that would go, by table, and the money that stays.

    `unsent` payments are written down and were never sent; of `unsettled` ones nobody knows. `attempts` are the
    worker's.
    """

    rows: Mapping[str, int]
    payments: int
    paid_cents: int
    unsent: int
    unsettled: int
    attempts: frozenset[str]

    @property
    def is_empty(self) -> bool:
        return not (self.rows or self.payments)


class Erasure:
    """Queries that find and erase a person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def holdings(self, worker: str) -> Holdings:
        """Return what the store has of a worker, in all campaigns."""
        who = {"who": worker}
        payments = tables.payments
        amounts = sa.select(
            sa.func.count(),
            sa.func.coalesce(sa.func.sum(payments.c.cents + payments.c.fee_cents), 0),
            sa.func.count().filter(payments.c.state == UNSENT),
            sa.func.count().filter(payments.c.state.not_in((UNSENT, CONFIRMED))),
        ).where(_by_worker(payments))
        with self._database.reading() as connection:
            counts = {
                table.name: int(connection.scalar(sa.select(sa.func.count()).select_from(table).where(which), who) or 0)
                for table, which in ERASED.items()
            }
            number, cents, unsent, unsettled = connection.execute(amounts, who).one()
            attempts = frozenset(connection.scalars(_WRITTEN, who))
        rows = {name: count for name, count in counts.items() if count}
        return Holdings(rows, number, int(cents), int(unsent), int(unsettled), attempts)

    def erase(self, worker: str, pseudonym: str, at: datetime) -> bool:
        """Erase a worker from all campaigns, in one transaction. Returns whether there was anything.

        Payments that were never sent go, too. Raises `Refused` while nobody knows whether one was made.
        """

        def erase(connection: sa.Connection) -> bool:
            campaigns = sorted(connection.scalars(sa.select(tables.campaigns.c.id)))
            for campaign_id in campaigns:
                lock_campaign(connection, campaign_id)
            if not _is_there(connection, worker):
                return False
            _check_settled(connection, worker)
            connection.execute(sa.insert(tables.erasures).values(pseudonym=pseudonym))
            for campaign_id in campaigns:
                invalidate_voted_by(connection, campaign_id, worker)
            _keep_pay_of_others(connection, worker, at)
            _count_gold_of_others_again(connection, worker)
            _rename_in_books(connection, worker, pseudonym)
            _forget_questions_to_models(connection, worker)
            _leave_exclusive_writers(connection, worker)
            replace_names(connection, _names(connection, worker), worker, pseudonym, BY, at)
            redact(connection, worker, frozenset(connection.scalars(_WRITTEN, {"who": worker})), at)
            for table, which in ERASED.items():
                connection.execute(sa.delete(table).where(which), {"who": worker})
            connection.execute(sa.update(tables.erasures).filter_by(pseudonym=pseudonym).values(at=at))
            return True

        return self._database.write(erase)

    def scrub(self, at: datetime) -> bool:
        """Clear the database's files of what was erased. Returns whether anything was left to do."""
        unscrubbed = tables.erasures.c.scrubbed_at.is_(None)
        with self._database.reading() as connection:
            waiting = list(connection.scalars(sa.select(tables.erasures.c.pseudonym).where(unscrubbed)))
        if not waiting:
            return False
        self._database.scrub()
        done = sa.update(tables.erasures).where(tables.erasures.c.pseudonym.in_(waiting)).values(scrubbed_at=at)
        self._database.write(lambda connection: connection.execute(done).rowcount)
        return True


def _is_there(connection: sa.Connection, worker: str) -> bool:
    named = [tables.payments, *(table for table in ERASED if "worker" in table.c)]
    who = {"who": worker}
    return any(connection.execute(sa.select(sa.literal(1)).where(_by_worker(each)), who).first() for each in named)


def _check_settled(connection: sa.Connection, worker: str) -> None:
    is_open = tables.payments.c.state.not_in((UNSENT, CONFIRMED))
    query = sa.select(tables.payments.c.id).where(_by_worker(tables.payments), is_open)
    if connection.execute(query, {"who": worker}).first() is not None:
        raise Refused(f"A payment to {worker} is not settled yet. Run `beat-the-ai pay CAMPAIGN --confirm` first.")


def _keep_pay_of_others(connection: sa.Connection, worker: str, at: datetime) -> None:
    """Decide that those are paid whose answers all go: nothing of them would show that they did anything."""
    of_hit = sa.and_(_ITEMS.c.assignment_id == tables.assignments.c.id, _VOTES.c.item_id == _ITEMS.c.id)
    has_answers = sa.exists().where(of_hit)
    query = (
        sa.select(tables.assignments.c.id)
        .where(tables.assignments.c.worker != sa.bindparam("who"), tables.assignments.c.submitted_at.is_not(None))
        .where(tables.assignments.c.set_aside_at.is_(None))
        .where(has_answers.where(_ITEMS.c.attempt_id.in_(_WRITTEN)))
        .where(~has_answers.where(_ITEMS.c.attempt_id.is_(None) | _ITEMS.c.attempt_id.not_in(_WRITTEN)))
    )
    decision = {"pays": True, "by": BY, "reason": STAYS_PAID, "at": at}
    if rows := [{"assignment_id": name, **decision} for name in connection.scalars(query, {"who": worker})]:
        connection.execute(sa.insert(tables.pay_decisions), rows)


def _count_gold_of_others_again(connection: sa.Connection, worker: str) -> None:
    """Have validators judged anew who lose answers: gold that was left out counts beside other answers alone."""
    gold, states, others = tables.uncounted_gold, tables.adjudication_states, _ITEMS.alias("others")
    loses = sa.exists().where(others.c.assignment_id == _ITEMS.c.assignment_id, others.c.attempt_id.in_(_WRITTEN))
    known = sa.exists().where(
        gold.c.campaign_id == states.c.campaign_id,
        gold.c.round == states.c.round,
        gold.c.assignment_id == _ITEMS.c.assignment_id,
    )
    rows = (
        sa.select(states.c.campaign_id, states.c.round, _ITEMS.c.assignment_id)
        .join_from(states, _ITEMS, _ITEMS.c.campaign_id == states.c.campaign_id)
        .join(tables.assignments, tables.assignments.c.id == _ITEMS.c.assignment_id)
        .where(_ITEMS.c.gold.is_not(None), tables.assignments.c.confirmed_at.is_not(None), loses, ~known)
        .distinct()
    )
    insert = sa.insert(gold).from_select(["campaign_id", "round", "assignment_id"], rows)
    connection.execute(insert, {"who": worker})


def _rename_in_books(connection: sa.Connection, worker: str, pseudonym: str) -> None:
    """Give payments that were made other ids: amounts, purposes and times stay."""
    payments = tables.payments
    unsent = sa.select(payments.c.id).where(_by_worker(payments), payments.c.state == UNSENT)
    for table, column in ((tables.payment_events, tables.payment_events.c.payment_id), (payments, payments.c.id)):
        connection.execute(sa.delete(table).where(column.in_(unsent)), {"who": worker})
    query = sa.select(payments.c.id, payments.c.assignment, payments.c.reason).where(_by_worker(payments))
    rows = connection.execute(query.order_by(payments.c.id), {"who": worker}).all()
    numbers: dict[str, str] = {}
    for row in rows:
        number = numbers.setdefault(row.assignment, str(len(numbers) + 1))
        reason = row.reason.partition(" [")[0]  # without the key, which names the worker
        ids = {"worker": pseudonym, "assignment": number, "token": secrets.token_hex(32)}
        connection.execute(sa.update(payments).filter_by(id=row.id).values(**ids, reason=reason, error=None))
        notes = sa.update(tables.payment_events).filter_by(payment_id=row.id)
        connection.execute(notes.values(note=None))


def _forget_questions_to_models(connection: sa.Connection, worker: str) -> None:
    """Keep what language models cost, without what they were asked and what they said."""
    answers = tables.model_answers
    query = sa.select(answers.c.id).where(answers.c.assignment_id.in_(_MINE))
    for number in connection.scalars(query, {"who": worker}).all():
        nothing = {"assignment_id": None, "prediction": None, "query_hash": secrets.token_hex(32)}
        connection.execute(sa.update(answers).filter_by(id=number).values(nothing))


def _leave_exclusive_writers(connection: sa.Connection, worker: str) -> None:
    rounds = tables.rounds
    for row in connection.execute(sa.select(rounds.c.campaign_id, rounds.c.number, rounds.c.config)).all():
        section: Mapping[str, Any] = row.config.get("dataset") or {}
        if worker in (writers := section.get("exclusive_writers") or ()):
            kept = {**section, "exclusive_writers": [each for each in writers if each != worker]}
            here = sa.update(rounds).filter_by(campaign_id=row.campaign_id, number=row.number)
            connection.execute(here.values(config={**row.config, "dataset": kept}))


def _names(connection: sa.Connection, worker: str) -> frozenset[str]:
    """Return the subjects under which the log of actions has the worker."""
    return frozenset(_every_name(connection, worker))


def _every_name(connection: sa.Connection, worker: str) -> Iterator[str]:
    yield worker
    for query in (_MINE, _WRITTEN, sa.select(tables.letters.c.id).where(_by_worker(tables.letters))):
        yield from connection.scalars(query, {"who": worker})
