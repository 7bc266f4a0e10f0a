"""Adjudicate works by rules that the caller brings, and invalidate adjudications (`works`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

import sqlalchemy as sa

from beat_the_ai.rules.adjudication import Adjudication
from beat_the_ai.store import tables
from beat_the_ai.store.batches import BATCH
from beat_the_ai.store.discards import uncounted_validators
from beat_the_ai.store.locks import lock_campaign

_WORKS, _CONTEXTS, _ATTEMPTS = tables.works, tables.contexts, tables.attempts
_ASSIGNMENTS, _ITEMS, _VOTES = tables.assignments, tables.validation_items, tables.validation_votes
_GOLD, _UNRELIABLE, _STATES = tables.uncounted_gold, tables.unreliable_validators, tables.adjudication_states
_LATER = _VOTES.alias("later")
LAST_VOTE = ~sa.exists().where(_LATER.c.item_id == _VOTES.c.item_id, _LATER.c.ordinal > _VOTES.c.ordinal)
IS_ASKED = sa.exists().where(
    _CONTEXTS.c.campaign_id == _WORKS.c.campaign_id, _CONTEXTS.c.id == _WORKS.c.context_id, _CONTEXTS.c.asked.is_(True)
)
UNKNOWN: Mapping[str, Any] = {
    "status": None,
    "label": None,
    "kept": False,
    "confirmed": False,
    "model_right": False,
    "settled": False,
    "votes": 0,
    "votes_needed": 0,
    "wanted": 0,
    "lot": "",
}
ADJUDICATION = [_WORKS.c[each.name] for each in fields(Adjudication)]


GoldAnswer = tuple[Mapping[str, Any], Mapping[str, Any] | None]
"""The work, and the vote; None where it was left out in a HIT in which something else was voted on."""


@dataclass(frozen=True)
class CountingRules:
    """The rules of a round. `name` tells them from all others.

    `adjudicate(work, prediction, votes)` takes them as they are stored, and of the votes those that count, in the order
    in which they came. `is_reliable(answers)` looks at a validator's answers to gold. With `adaptive` nobody is asked
    any more about what is settled. `lot(attempt_id)` is its place among works with as many votes.
    """

    name: str
    adjudicate: Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[Mapping[str, Any]]], Adjudication]
    is_reliable: Callable[[Sequence[GoldAnswer]], bool]
    adaptive: bool
    lot: Callable[[str], str]


def invalidate_where(connection: sa.Connection, campaign_id: str, *which: sa.ColumnElement[bool]) -> None:
    connection.execute(sa.update(_WORKS).where(*which).values(status=None, wanted=0))
    count = sa.update(_STATES).filter_by(campaign_id=campaign_id)
    connection.execute(count.values(version=_STATES.c.version + 1))


def invalidate_voted_by(connection: sa.Connection, campaign_id: str, worker: str) -> None:
    """Invalidate the works that a validator has voted on, whose votes count no more from now on, or count again."""
    voted = sa.select(_ITEMS.c.attempt_id).join_from(_ITEMS, _ASSIGNMENTS)
    voted = voted.where(_ASSIGNMENTS.c.campaign_id == campaign_id, _ASSIGNMENTS.c.worker == worker)
    voted = voted.where(_ITEMS.c.attempt_id.is_not(None))
    invalidate_where(connection, campaign_id, _WORKS.c.attempt_id.in_(voted))


class Left(Enum):
    """The adjudications that may be left to make. EVERYTHING: other rules had been used until then."""

    NOTHING = "nothing"
    SOME = "some"
    EVERYTHING = "everything"


def adjudicate_some(connection: sa.Connection, campaign_id: str, number: int, rules: CountingRules) -> Left:
    """Adjudicate some works, and return what is left afterwards."""
    lock_campaign(connection, campaign_id)
    of_round = {"campaign_id": campaign_id, "round": number}
    if connection.scalar(sa.select(_STATES.c.rules).filter_by(**of_round)) != rules.name:
        _begin_anew(connection, campaign_id, number, rules.name)
        return Left.EVERYTHING
    if _count_gold(connection, campaign_id, number, rules):
        return Left.SOME
    query = sa.select(_WORKS.c.attempt_id).filter_by(**of_round).where(_WORKS.c.status.is_(None)).limit(BATCH)
    names = list(connection.scalars(query))
    if names:
        uncounted = set(connection.scalars(uncounted_validators(campaign_id, number)))
        asked = _are_asked(connection, names)
        votes = _counted_votes(connection, names, uncounted)
        written = sa.select(_ATTEMPTS.c.id, _ATTEMPTS.c.work, _ATTEMPTS.c.prediction).where(_ATTEMPTS.c.id.in_(names))
        rows = []
        for name, work, prediction in connection.execute(written):
            adjudication = rules.adjudicate(work, prediction, votes[name])
            is_over = name not in asked or (rules.adaptive and adjudication.settled)
            wanted = 0 if is_over else adjudication.votes_needed
            new = {**vars(adjudication), "votes": len(votes[name]), "wanted": wanted, "lot": rules.lot(name)}
            rows.append({**{f"new_{column}": new[column] for column in UNKNOWN}, "of": name})
        values = {name: sa.bindparam(f"new_{name}", type_=_WORKS.c[name].type) for name in UNKNOWN}
        connection.execute(sa.update(_WORKS).where(_WORKS.c.attempt_id == sa.bindparam("of")).values(values), rows)
    return Left.SOME if len(names) == BATCH else Left.NOTHING


def _begin_anew(connection: sa.Connection, campaign_id: str, number: int, rules: str) -> None:
    of_round = {"campaign_id": campaign_id, "round": number}
    for table in (_UNRELIABLE, _GOLD):
        connection.execute(sa.delete(table).filter_by(**of_round))
    if not connection.execute(sa.update(_STATES).filter_by(**of_round).values(rules=rules)).rowcount:
        connection.execute(sa.insert(_STATES).values(**of_round, rules=rules))
    invalidate_where(connection, campaign_id, _WORKS.c.campaign_id == campaign_id, _WORKS.c.round == number)
    with_gold = (
        sa.select(_ASSIGNMENTS.c.campaign_id, sa.literal(number), _ASSIGNMENTS.c.id)
        .where(_ASSIGNMENTS.c.campaign_id == campaign_id, _ASSIGNMENTS.c.confirmed_at.is_not(None))
        .where(sa.exists().where(_ITEMS.c.assignment_id == _ASSIGNMENTS.c.id, _ITEMS.c.gold.is_not(None)))
    )
    connection.execute(sa.insert(_GOLD).from_select(["campaign_id", "round", "assignment_id"], with_gold))


def _count_gold(connection: sa.Connection, campaign_id: str, number: int, rules: CountingRules) -> bool:
    """Judge one validator who has answered more gold meanwhile. Whether there was one."""
    mine = sa.and_(_GOLD.c.campaign_id == campaign_id, _GOLD.c.round == number)
    query = sa.select(_ASSIGNMENTS.c.worker).join_from(_GOLD, _ASSIGNMENTS).where(mine).limit(1)
    worker = connection.scalar(query)
    if worker is None:
        return False
    of_worker = sa.select(_ASSIGNMENTS.c.id).filter_by(campaign_id=campaign_id, worker=worker)
    sound = rules.is_reliable(_gold_answers(connection, campaign_id, worker))
    known = {"campaign_id": campaign_id, "round": number, "worker": worker}
    was_unreliable = connection.scalar(sa.select(_UNRELIABLE.c.worker).filter_by(**known)) is not None
    if sound == was_unreliable:
        connection.execute(
            sa.delete(_UNRELIABLE).filter_by(**known) if sound else sa.insert(_UNRELIABLE).values(**known)
        )
        voted = sa.select(_ITEMS.c.attempt_id).where(_ITEMS.c.assignment_id.in_(of_worker))
        voted = voted.where(_ITEMS.c.attempt_id.is_not(None))
        invalidate_where(connection, campaign_id, _WORKS.c.round == number, _WORKS.c.attempt_id.in_(voted))
    connection.execute(sa.delete(_GOLD).where(mine, _GOLD.c.assignment_id.in_(of_worker)))
    return True


def _gold_answers(connection: sa.Connection, campaign_id: str, worker: str) -> list[GoldAnswer]:
    others, votes = _ITEMS.alias("others"), _VOTES.alias("others_votes")
    has_votes = sa.exists().where(others.c.assignment_id == _ASSIGNMENTS.c.id, votes.c.item_id == others.c.id)
    query = (
        sa.select(_ITEMS.c.gold, _VOTES.c.vote)
        .join_from(_ASSIGNMENTS, _ITEMS)
        .outerjoin(_VOTES, sa.and_(_VOTES.c.item_id == _ITEMS.c.id, LAST_VOTE))
        .where(_ASSIGNMENTS.c.campaign_id == campaign_id, _ASSIGNMENTS.c.worker == worker)
        .where(_ASSIGNMENTS.c.confirmed_at.is_not(None), _ITEMS.c.gold.is_not(None), has_votes)
    )
    return [(row.gold, row.vote) for row in connection.execute(query)]


def _are_asked(connection: sa.Connection, names: Sequence[str]) -> set[str]:
    """Return those of these attempts that are on contexts that validators are asked about."""
    return set(connection.scalars(sa.select(_WORKS.c.attempt_id).where(_WORKS.c.attempt_id.in_(names), IS_ASKED)))


def _counted_votes(
    connection: sa.Connection, names: Sequence[str], uncounted: AbstractSet[str]
) -> Mapping[str, list[Mapping[str, Any]]]:
    """Return by attempt the last votes on it of validators who are not `uncounted`."""
    query = (
        sa.select(_ITEMS.c.attempt_id, _ASSIGNMENTS.c.worker, _VOTES.c.vote)
        .join_from(_ITEMS, _ASSIGNMENTS)
        .join(_VOTES)
        .where(_ITEMS.c.attempt_id.in_(names), _ASSIGNMENTS.c.confirmed_at.is_not(None), LAST_VOTE)
        .order_by(_VOTES.c.created_at, _ASSIGNMENTS.c.id)
    )
    votes: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for attempt_id, worker, vote in connection.execute(query):
        if worker not in uncounted:
            votes[attempt_id].append(vote)
    return votes
