"""Nothing that is done again and again reads whole tables, on either database."""

from __future__ import annotations

from beat_the_ai.store import Store
from tests.store.plans import read_whole
from tests.store.test_validations import take, written


def test_the_texts_of_a_validation_hit_are_looked_up(store: Store) -> None:
    written(store)
    made = take(store)
    assert read_whole(store, lambda: store.validations.material(made.id)) == set()


def test_a_table_that_is_read_whole_is_told(store: Store) -> None:
    written(store)
    assert "pay_decisions" in read_whole(store, store.pay_decisions.last)
