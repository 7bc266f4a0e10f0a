from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.errors import InvalidInput

names = st.lists(st.text(min_size=1), min_size=1, max_size=6, unique=True)


def members(of: list[str]) -> list[Member]:
    return [Member(name, "http://127.0.0.1:1") for name in of]


@given(names, st.integers(), st.text())
def test_a_draw_depends_on_seed_key_and_names_alone(names: list[str], seed: int, key: str) -> None:
    drawn = Pool(members(names), seed).draw(key)
    assert drawn.name in names
    assert Pool(members(sorted(names, reverse=True)), seed).draw(key) == drawn


@given(names, st.integers(), st.text())
def test_a_member_that_was_not_drawn_can_leave_without_changing_the_draw(names: list[str], seed: int, key: str) -> None:
    drawn = Pool(members(names), seed).draw(key)
    for name in set(names) - {drawn.name}:
        smaller = [other for other in names if other != name]
        assert Pool(members(smaller), seed).draw(key) == drawn


@pytest.mark.parametrize("seed", [0, 1, 2020])
def test_every_member_is_drawn_equally_often(seed: int) -> None:
    draws = 9000
    pool = Pool(members(["bidaf", "bert", "roberta"]), seed)
    counts = Counter(pool.draw(f"attempt-{number}").name for number in range(draws))
    chi_squared = sum((count - draws / 3) ** 2 / (draws / 3) for count in counts.values())
    assert chi_squared < 13.8  # the 0.1% point for two degrees of freedom


def test_two_seeds_draw_differently() -> None:
    keys = [f"attempt-{number}" for number in range(100)]
    first, second = Pool(members(["a", "b"]), 1), Pool(members(["a", "b"]), 2)
    assert [first.draw(key) for key in keys] != [second.draw(key) for key in keys]


def test_draws_stay_as_they_were_recorded() -> None:
    pool = Pool(members(["bert", "bidaf", "roberta"]), seed=7)
    drawn = [pool.draw(f"attempt-{number}").name for number in range(6)]
    assert drawn == ["roberta", "roberta", "bidaf", "roberta", "bert", "bert"]


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one"):
        Pool([], seed=1)


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'bert' stands in the pool twice"):
        Pool(members(["bert", "bidaf", "bert"]), seed=1)


@given(names, st.integers(), st.text(), st.data())
def test_among_some_the_draw_is_that_of_a_pool_of_these(
    names: list[str], seed: int, key: str, data: st.DataObject
) -> None:
    some = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    assert Pool(members(names), seed).draw(key, some) == Pool(members(some), seed).draw(key)
