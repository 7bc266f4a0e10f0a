"""A win is the same for Python and for queries."""

from __future__ import annotations

from itertools import product

import sqlalchemy as sa

from beat_the_ai.store import Store, tables
from beat_the_ai.store.won import WON
from tests.store.builders import NEW_YEAR, attempt, campaign, context


def test_queries_know_a_win_as_attempts_do(store: Store) -> None:
    store.campaigns.create(campaign())
    [hit] = store.campaigns.offer("pilot", [context()], round_number=1, slots=1)
    made = store.attempts.accept(hit, "A1", "r", NEW_YEAR)
    doubt = [{"kind": "copied", "detail": "of another"}]
    states = product((True, False), (None, NEW_YEAR), (None, [], doubt), (None, True, False))
    attempts = {}
    for ordinal, (fooled, retracted_at, doubts, admitted) in enumerate(states, start=1):
        one = attempt(made.id, ordinal, fooled=fooled, retracted_at=retracted_at, doubts=doubts, admitted=admitted)
        attempts[one.id] = store.attempts.add(one)
    with store.database.reading() as connection:
        won = set(connection.scalars(sa.select(tables.attempts.c.id).where(WON)))
    assert won == {name for name, one in attempts.items() if one.won}
    assert 0 < len(won) < len(attempts)
