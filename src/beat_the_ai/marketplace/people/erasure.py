"""Erasing a person from the store of people: name, address, ids, answers and messages go, and the books keep amounts.

A pseudonym is drawn first, for all stores. Until the last step the person is known here, so whatever was interrupted
is finished by the same command. Then the pseudonym has the worker's place in the books: HITs, rewards, payouts.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping

import sqlalchemy as sa

from beat_the_ai.marketplace import accounts as ledger
from beat_the_ai.marketplace import tables, withdrawals
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.payouts import REWARD
from beat_the_ai.marketplace.people.person import people_with, set_state
from beat_the_ai.rules.ids import new_pseudonym

NOWHERE = "ZZ"  # a country that nobody has
BOOKS: Mapping[sa.Table, Mapping[str, object]] = {  # they keep their rows, without what tells of the person
    tables.assignments: {"answer": None, "feedback": None},
    tables.bonuses: {"reason": ""},
    tables.payouts: {},
}
ERASED = (  # in the order of deletion
    tables.withdrawals,
    tables.visits,
    tables.recruited,
    tables.sign_in_links,
    tables.invitations,
    tables.person_groups,
    tables.people,
    tables.qualification_requests,
    tables.qualifications,
    tables.blocks,
    tables.worker_credentials,
)


def begin(moment: Moment, worker_id: str) -> str:
    """Let a person take part no more, and return the pseudonym that takes their place in every store."""
    withdrawals.withdraw(moment, worker_id, erase=True)
    known = moment.connection.scalar(sa.select(tables.erasures.c.pseudonym).filter_by(worker_id=worker_id))
    if known is not None:
        return str(known)
    row = {"pseudonym": new_pseudonym(), "worker_id": worker_id, "begun_at": moment.now}
    moment.connection.execute(sa.insert(tables.erasures).values(row))
    return str(row["pseudonym"])


def erase(moment: Moment, worker_id: str, pseudonym: str) -> None:
    """Put the pseudonym in the worker's place in the books, and delete all else."""
    write = moment.connection.execute
    _copy(moment, tables.workers, "id", worker_id, pseudonym, country=NOWHERE, subdivision=None, adult=False)
    nobody = {"name": None, "email": None, "salt": None, "digest": None, "mailed_at": None, "state": "removed"}
    _copy(moment, tables.people, "worker_id", worker_id, pseudonym, **nobody, suspended_from=None, needs_approval=False)
    theirs = sa.select(tables.bonuses.c.id).filter_by(worker_id=worker_id)
    write(sa.delete(tables.tokens).where(tables.tokens.c.subject.in_(theirs)))
    for table, blank in BOOKS.items():
        write(sa.update(table).filter_by(worker_id=worker_id).values(worker_id=pseudonym, **blank))
    earned, kept = ledger.earned(worker_id), ledger.earned(pseudonym)
    _copy(moment, tables.accounts, "name", earned, kept)
    for column in ("source", "target"):
        write(sa.update(tables.transfers).filter_by(**{column: earned}).values({column: kept}))
    write(sa.delete(tables.accounts).filter_by(name=earned))
    _erase_messages(moment, worker_id)
    _erase_sessions(moment, worker_id, pseudonym)
    for table in ERASED:
        write(sa.delete(table).filter_by(worker_id=worker_id))
    write(sa.delete(tables.workers).filter_by(id=worker_id))
    here = sa.update(tables.erasures).filter_by(pseudonym=pseudonym)
    write(here.values(worker_id=None, erased_at=moment.now))


def ids_in_logs(moment: Moment, worker_id: str) -> list[str]:
    """Return the ids by which logs may name a person: their own, and a recruiter's of them and their places."""
    ids = [worker_id]
    for column in (tables.recruited.c.external_id, tables.visits.c.session):
        ids += moment.connection.scalars(sa.select(column).where(column.table.c.worker_id == worker_id)).all()
    return list(dict.fromkeys(ids))


def forget_names(moment: Moment, worker_id: str) -> None:
    """Erase name, address, password and a recruiter's ids of a person, who is removed; their worker id stays."""
    [someone] = people_with(moment, [worker_id])
    set_state(moment, someone, "removed")
    for table in (tables.visits, tables.recruited):
        moment.connection.execute(sa.delete(table).filter_by(worker_id=worker_id))


def workers_of_only(moment: Moment, prefixes: Collection[str]) -> list[str]:
    """Return the people with a name whose HITs all have annotations that begin with one of these, and who had any."""
    accepted = sa.select(tables.assignments.c.worker_id, tables.hits.c.annotation).join_from(
        tables.assignments, tables.hits, tables.hits.c.id == tables.assignments.c.hit_id
    )
    named = sa.select(tables.people.c.worker_id).where(tables.people.c.state != "removed")
    rows = moment.connection.execute(accepted.where(tables.assignments.c.worker_id.in_(named)).distinct())
    known: dict[str, bool] = {}
    for worker_id, annotation in rows:
        known[worker_id] = known.get(worker_id, True) and str(annotation).startswith(tuple(prefixes))
    return sorted(worker_id for worker_id, only in known.items() if only)


def scrub(market: Market) -> bool:
    """Clear the database's files of what was erased. Returns whether anything was left to do."""
    erasures = tables.erasures
    with market.reading() as moment:
        unscrubbed = sa.select(erasures.c.pseudonym).where(erasures.c.erased_at.is_not(None))
        waiting = list(moment.connection.scalars(unscrubbed.where(erasures.c.scrubbed_at.is_(None))))
    if not waiting:
        return False
    market.scrub()
    with market.writing() as moment:
        here = sa.update(erasures).where(erasures.c.pseudonym.in_(waiting))
        moment.connection.execute(here.values(scrubbed_at=moment.now))
    return True


def _copy(moment: Moment, table: sa.Table, key: str, old: str, new: str, **changes: object) -> None:
    """Add a row like another one, under another key: rows that refer to it follow one after the other."""
    row = moment.connection.execute(sa.select(table).filter_by(**{key: old})).one_or_none()
    if row is not None:
        moment.connection.execute(sa.insert(table).values({**row._mapping, key: new, **changes}))


def _erase_sessions(moment: Moment, worker_id: str, pseudonym: str) -> None:
    """Erase a recruiter's ids of places from what was paid for them; `pseudonym` has the worker's payouts by now."""
    sessions = sa.select(tables.visits.c.session).filter_by(worker_id=worker_id)
    lines, payouts = tables.batched_bonuses, tables.payouts
    moment.connection.execute(
        sa.update(lines).where(lines.c.session.in_(sessions)).values(session="", shown_before=None)
    )
    rewards = sa.select(payouts.c.reference).where(
        payouts.c.worker_id == pseudonym, payouts.c.reference.startswith(REWARD)
    )
    for reference in moment.connection.scalars(rewards).all():
        here = sa.update(payouts).filter_by(worker_id=pseudonym, reference=reference)
        moment.connection.execute(here.values(reference=f"{REWARD}{secrets.token_hex(8)}"))


def _erase_messages(moment: Moment, worker_id: str) -> None:
    outbox, deliveries = tables.outbox, tables.deliveries
    theirs = sa.select(outbox.c.number).filter_by(recipient=worker_id)
    moment.connection.execute(sa.delete(deliveries).where(deliveries.c.outbox_number.in_(theirs)))
    moment.connection.execute(sa.delete(tables.forwarded).where(tables.forwarded.c.number.in_(theirs)))
    moment.connection.execute(sa.delete(outbox).filter_by(recipient=worker_id))
