"""A win, a doubt and what is on hold are the same for Python and for queries."""

from __future__ import annotations

from itertools import product

import sqlalchemy as sa

from beat_the_ai.store import Store, tables
from beat_the_ai.store.won import DOUBTED, ON_HOLD, WON
from tests.store.builders import NEW_YEAR, attempt, campaign, context


def test_queries_know_a_win_as_attempts_do(store: Store) -> None:
    store.campaigns.create(campaign())
    [hit] = store.campaigns.offer("pilot", [context()], round_number=1, slots=1)
    made = store.attempts.accept(hit, "A1", "r", NEW_YEAR)[0]
    doubt = [{"kind": "copied", "detail": "of another"}]
    states = product((True, False), (None, NEW_YEAR), (None, [], doubt), (None, True, False))
    attempts = {}
    for ordinal, (fooled, retracted_at, doubts, admitted) in enumerate(states, start=1):
        one = attempt(made.id, ordinal, fooled=fooled, retracted_at=retracted_at, doubts=doubts, admitted=admitted)
        attempts[one.id] = store.attempts.add(one)
    for condition, name in ((WON, "won"), (DOUBTED, "doubted"), (ON_HOLD, "on_hold")):
        with store.database.reading() as connection:
            matching = set(connection.scalars(sa.select(tables.attempts.c.id).where(condition)))
        assert matching == {attempt_id for attempt_id, one in attempts.items() if getattr(one, name)}
        assert 0 < len(matching) < len(attempts)
