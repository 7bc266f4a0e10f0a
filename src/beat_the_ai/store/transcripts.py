"""The transcript of a campaign: what happened, entry by entry, in a chain of hashes (`rules.transcript`).

Nothing that a worker waits for writes to it. What counts, or is set aside, does not change any more: an operator adds
it in batches, and an export adds what is left. Entries are only added; an erasure takes salts and texts out.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Protocol

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.rules.ids import worker_pseudonym
from beat_the_ai.rules.protocol import Json
from beat_the_ai.rules.transcript import (
    ATTEMPT,
    CAMPAIGN,
    ERASURE,
    GENESIS,
    ROUND,
    STANDING,
    VOTE,
    Entry,
    commitment_of,
    line,
    new_entry,
    next_head,
)
from beat_the_ai.store import tables
from beat_the_ai.store.adjudication import LAST_VOTE
from beat_the_ai.store.assignments import COLUMNS
from beat_the_ai.store.campaigns import hit_from, select_hits
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import (
    Assignment,
    Attempt,
    AttemptInCampaign,
    Round,
    StandingEvent,
    ValidationItem,
    ValidationVote,
)

ASSIGNMENTS_AT_ONCE = 50  # in a transaction: workers' attempts wait for it
_TRANSCRIPTS, _BLOCKS, _ASSIGNMENTS = tables.transcripts, tables.transcript_blocks, tables.assignments
_ITEMS, _VOTES, _ATTEMPTS = tables.validation_items, tables.validation_votes, tables.attempts
_ITEM_COLUMNS = [_ITEMS.c[field.name] for field in fields(ValidationItem)]
_ATTEMPT_COLUMNS = [_ATTEMPTS.c[field.name] for field in fields(Attempt)]
_SETTLED = sa.or_(_ASSIGNMENTS.c.confirmed_at.is_not(None), _ASSIGNMENTS.c.set_aside_at.is_not(None))
_MISSING = sa.and_(_ASSIGNMENTS.c.transcribed.is_(None), _SETTLED)
_SETTLED_AT = sa.func.coalesce(_ASSIGNMENTS.c.confirmed_at, _ASSIGNMENTS.c.set_aside_at)


@dataclass(frozen=True)
class Head:
    """The state of a transcript: its number of entries, and the hash that depends on all of them."""

    entries: int
    head: str


class Facts(Protocol):
    """The contents of entries. They are JSON, and name workers by their pseudonyms."""

    def campaign(self, signing_key: str) -> Json: ...

    def round(self, of: Round) -> Json: ...

    def standing(self, of: StandingEvent) -> Json: ...

    def attempt(self, of: AttemptInCampaign) -> Json: ...

    def vote(self, assignment: Assignment, item: ValidationItem, work: Json, vote: ValidationVote) -> Json: ...


class Transcripts:
    """Queries on transcripts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def head(self, campaign_id: str) -> Head | None:
        """Return the state of a campaign's transcript; None before its first entry."""
        query = sa.select(_TRANSCRIPTS.c.entries, _TRANSCRIPTS.c.head).filter_by(campaign_id=campaign_id)
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Head(*row)

    def last_at(self, campaign_id: str) -> datetime | None:
        """Return when entries were last added."""
        query = sa.select(_BLOCKS.c.at).filter_by(campaign_id=campaign_id).order_by(_BLOCKS.c.last.desc()).limit(1)
        with self._database.reading() as connection:
            at: datetime | None = connection.scalar(query)
        return at

    def signing_key(self, campaign_id: str) -> str:
        """Return the private key of a transcript that has entries, 32 bytes in hexadecimal digits."""
        with self._database.reading() as connection:
            return str(connection.execute(_state(campaign_id)).one().signing_key)

    def lines(self, campaign_id: str) -> Iterator[str]:
        """Yield the lines of a transcript, some at a time, in order. Streamed."""
        query = sa.select(_BLOCKS.c.lines).filter_by(campaign_id=campaign_id).order_by(_BLOCKS.c.last)
        with self._database.reading() as connection:
            yield from connection.execution_options(yield_per=10).scalars(query)

    def extend(self, campaign_id: str, facts: Facts, at: datetime) -> bool:
        """Add what is not in the transcript yet, or a part of it. Returns whether anything was added."""

        def extend(connection: sa.Connection) -> bool:
            lock_campaign(connection, campaign_id)
            state = connection.execute(_state(campaign_id)).one_or_none()
            entries: list[Entry] = []
            if state is None:
                key = secrets.token_hex(32)
                nothing = {"signing_key": key, "entries": 0, "head": GENESIS, "standing_event": 0, "rounds": {}}
                connection.execute(sa.insert(_TRANSCRIPTS).values(campaign_id=campaign_id, **nothing))
                state = connection.execute(_state(campaign_id)).one()
                entries.append(new_entry(CAMPAIGN, facts.campaign(key)))
            rounds = dict(state.rounds)
            for number, digest, content in _new_terms(connection, campaign_id, rounds, facts):
                rounds[number] = digest
                entries.append(new_entry(ROUND, content))
            standing_event = state.standing_event
            for event in _new_events(connection, campaign_id, standing_event):
                standing_event = event.id
                entries.append(new_entry(STANDING, facts.standing(event)))
            missing = _missing(connection, campaign_id)
            entries += _of_assignments(connection, missing, facts)
            _mark(connection, missing)
            if entries:
                _append(connection, campaign_id, entries, at)
                update = sa.update(_TRANSCRIPTS).filter_by(campaign_id=campaign_id)
                connection.execute(update.values(standing_event=standing_event, rounds=rounds))
            return bool(entries or missing)

        return self._database.write(extend)

    def is_complete(self, campaign_id: str, facts: Facts) -> bool:
        """Return whether nothing is left for `extend` to add."""
        with self._database.reading() as connection:
            state = connection.execute(_state(campaign_id)).one_or_none()
            if state is None:
                return False
            waiting = sa.select(_ASSIGNMENTS.c.id).where(_ASSIGNMENTS.c.campaign_id == campaign_id, _MISSING).limit(1)
            return (
                connection.execute(waiting).first() is None
                and not _new_events(connection, campaign_id, state.standing_event)
                and not list(_new_terms(connection, campaign_id, state.rounds, facts))
            )


def write_again(connection: sa.Connection, attempt_id: str) -> None:
    """Have the works of an attempt's assignment written into the transcript again: a reviewer has decided on one."""
    made_in = sa.select(_ATTEMPTS.c.assignment_id).where(_ATTEMPTS.c.id == attempt_id)
    connection.execute(sa.update(_ASSIGNMENTS).where(_ASSIGNMENTS.c.id.in_(made_in)).values(transcribed=None))


def redact(connection: sa.Connection, worker: str, attempts: Collection[str], at: datetime) -> None:
    """Take out what all transcripts say about a worker, and about these attempts, which are the worker's.

    Heads stay as they are. A new entry names the entries that say nothing any more.
    """
    keys = sa.select(_TRANSCRIPTS.c.campaign_id, tables.campaigns.c.pseudonym_key).join(tables.campaigns)
    for campaign_id, key in connection.execute(keys).all():
        pseudonym = worker_pseudonym(worker, key)
        erased: list[int] = []
        for last in connection.scalars(sa.select(_BLOCKS.c.last).filter_by(campaign_id=campaign_id)).all():
            here = {"campaign_id": campaign_id, "last": last}
            lines = str(connection.scalar(sa.select(_BLOCKS.c.lines).filter_by(**here))).splitlines(keepends=True)
            redacted = [_redacted(each, pseudonym, attempts) for each in lines]
            if redacted != lines:
                erased += [json.loads(new)["number"] for old, new in zip(lines, redacted, strict=True) if old != new]
                connection.execute(sa.update(_BLOCKS).filter_by(**here).values(lines="".join(redacted)))
        if erased:
            _append(connection, campaign_id, [new_entry(ERASURE, {"entries": sorted(erased)})], at)


def _redacted(text: str, pseudonym: str, attempts: Collection[str]) -> str:
    fields = json.loads(text)
    if "content" not in fields:
        return text
    content = json.loads(fields["content"])
    if content.get("worker") != pseudonym and content.get("attempt_id") not in attempts:
        return text
    entry = Entry(fields["type"], commitment_of(fields["salt"], fields["content"]))
    return line(fields["number"], entry, fields["head"])


def _state(campaign_id: str) -> sa.Select[Any]:
    return sa.select(_TRANSCRIPTS).filter_by(campaign_id=campaign_id)


def _append(connection: sa.Connection, campaign_id: str, entries: Iterable[Entry], at: datetime) -> None:
    """Add entries as one block; the campaign is locked."""
    state = connection.execute(_state(campaign_id)).one()
    head, lines = state.head, []
    for number, entry in enumerate(entries, start=state.entries + 1):
        head = next_head(head, entry.type, entry.commitment)
        lines.append(line(number, entry, head))
    last = state.entries + len(lines)
    block = {"campaign_id": campaign_id, "last": last, "head": head, "at": at, "lines": "".join(lines)}
    connection.execute(sa.insert(_BLOCKS).values(block))
    connection.execute(sa.update(_TRANSCRIPTS).filter_by(campaign_id=campaign_id).values(entries=last, head=head))


def _new_terms(
    connection: sa.Connection, campaign_id: str, known: Mapping[str, str], facts: Facts
) -> Iterator[tuple[str, str, Json]]:
    """Yield `(number, digest, content)` of each round whose terms are new."""
    query = sa.select(tables.rounds).filter_by(campaign_id=campaign_id).order_by(tables.rounds.c.number)
    for row in connection.execute(query).all():
        content = facts.round(Round(**row._mapping))
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        if known.get(str(row.number)) != digest:
            yield str(row.number), digest, content


def _new_events(connection: sa.Connection, campaign_id: str, last: int) -> list[StandingEvent]:
    events = tables.standing_events
    query = sa.select(events).where(events.c.campaign_id == campaign_id, events.c.id > last).order_by(events.c.id)
    return [StandingEvent(**row._mapping) for row in connection.execute(query)]


def _missing(connection: sa.Connection, campaign_id: str) -> list[Assignment]:
    """Return assignments that are to be written, and lock them."""
    query = (
        sa.select(*COLUMNS)
        .where(_ASSIGNMENTS.c.campaign_id == campaign_id, _MISSING)
        .order_by(_SETTLED_AT, _ASSIGNMENTS.c.id)
        .limit(ASSIGNMENTS_AT_ONCE)
        .with_for_update()
    )
    return [Assignment(*row) for row in connection.execute(query)]


def _mark(connection: sa.Connection, assignments: Iterable[Assignment]) -> None:
    if ids := [each.id for each in assignments]:
        connection.execute(sa.update(_ASSIGNMENTS).where(_ASSIGNMENTS.c.id.in_(ids)).values(transcribed=True))


def _of_assignments(connection: sa.Connection, assignments: list[Assignment], facts: Facts) -> Iterator[Entry]:
    """Yield the entries of works and votes, by assignment."""
    written = _attempts_in(connection, [each for each in assignments if not each.is_validation])
    votes = _votes_in(connection, [each for each in assignments if each.is_validation])
    for assignment in assignments:
        for attempt in written[assignment.id]:
            yield new_entry(ATTEMPT, facts.attempt(attempt))
        for item, work, vote in votes[assignment.id]:
            yield new_entry(VOTE, facts.vote(assignment, item, work, vote))


def _attempts_in(connection: sa.Connection, assignments: list[Assignment]) -> Mapping[str, list[AttemptInCampaign]]:
    found: defaultdict[str, list[AttemptInCampaign]] = defaultdict(list)
    if not assignments:
        return found
    made_in = {each.id: each for each in assignments}
    offered = select_hits().where(tables.hits.c.id.in_({each.hit for each in assignments}))
    hits = {row["hit_id"]: hit_from(row) for row in connection.execute(offered).mappings()}
    query = sa.select(*_ATTEMPT_COLUMNS).where(_ATTEMPTS.c.assignment_id.in_(list(made_in)))
    for row in connection.execute(query.order_by(_ATTEMPTS.c.ordinal)):
        attempt = Attempt(*row)
        assignment = made_in[attempt.assignment_id]
        found[assignment.id].append(AttemptInCampaign(attempt, assignment, hits[assignment.hit]))
    return found


def _votes_in(
    connection: sa.Connection, assignments: list[Assignment]
) -> Mapping[str, list[tuple[ValidationItem, Json, ValidationVote]]]:
    found: defaultdict[str, list[tuple[ValidationItem, Json, ValidationVote]]] = defaultdict(list)
    if not assignments:
        return found
    query = (
        sa.select(*_ITEM_COLUMNS, *_VOTES.c, _ATTEMPTS.c.work)
        .join_from(_ITEMS, _VOTES, sa.and_(_VOTES.c.item_id == _ITEMS.c.id, LAST_VOTE))
        .outerjoin(_ATTEMPTS, _ATTEMPTS.c.id == _ITEMS.c.attempt_id)
        .where(_ITEMS.c.assignment_id.in_([each.id for each in assignments]))
        .order_by(_ITEMS.c.position)
    )
    for row in connection.execute(query):
        item, vote = ValidationItem(*row[: len(_ITEM_COLUMNS)]), ValidationVote(*row[len(_ITEM_COLUMNS) : -1])
        found[item.assignment_id].append((item, row[-1] if item.gold is None else item.gold, vote))
    return found
