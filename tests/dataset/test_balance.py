"""Parts in balance: by hand, and for any examples."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.dataset.balance import Balance, Stratum, balance
from beat_the_ai.kinds.nli.dataset import PairDataset
from beat_the_ai.kinds.reading_comprehension.dataset import QuestionDataset

PAIRS = PairDataset()
LETTERS = ("e", "n", "c")
GENRES = ("fiction", "news", "spoken")

parts = st.dictionaries(
    st.text(st.characters(codec="ascii"), min_size=1, max_size=6),
    st.tuples(st.sampled_from(LETTERS), st.sampled_from(GENRES)),
    max_size=60,
)


def part(sizes: dict[Stratum, int]) -> dict[str, Stratum]:
    return {f"{'/'.join(values)}/{number}": values for values, size in sizes.items() for number in range(size)}


def kept(strata: dict[str, Stratum], found: Balance) -> Counter[Stratum]:
    return Counter(values[: len(found.columns)] for name, values in strata.items() if name not in found.left_out)


@given(parts, st.integers(0, 99))
def test_what_stays_is_in_balance_by_as_many_columns_as_the_part_allows(strata: dict[str, Stratum], seed: int) -> None:
    found = balance(strata, PAIRS, seed)
    assert found.left_out <= strata.keys()
    genres = {genre for _, genre in strata.values()}
    labels = {label for label, _ in strata.values()}
    if set(strata.values()) == set(product(LETTERS, genres)) and strata:
        assert (list(found.columns), found.gaps) == (["label", "genre"], [])
        assert kept(strata, found) == dict.fromkeys(product(LETTERS, genres), found.size)
        assert found.size == min(Counter(strata.values()).values())
    elif labels == set(LETTERS):
        assert list(found.columns) == ["label"]
        assert set(found.gaps) == set(product(LETTERS, genres)) - set(strata.values())
        assert kept(strata, found) == {(label,): found.size for label in LETTERS}
        assert found.size == min(Counter(label for label, _ in strata.values()).values())
    else:
        assert found == Balance((), 0, sorted((label,) for label in set(LETTERS) - labels), frozenset())


@given(parts, st.integers(0, 99), st.randoms(use_true_random=False))
def test_neither_order_nor_a_second_time_changes_anything(strata: dict[str, Stratum], seed: int, rng: Random) -> None:
    found = balance(strata, PAIRS, seed)
    names = sorted(strata)
    rng.shuffle(names)
    assert balance({name: strata[name] for name in names}, PAIRS, seed) == found
    left = {name: values for name, values in strata.items() if name not in found.left_out}
    if len(found.columns) == len(PAIRS.balanced_by):
        assert balance(left, PAIRS, seed).left_out == frozenset()


def test_the_seed_decides_which_of_equals_stay() -> None:
    strata = part({("e", "news"): 9, ("n", "news"): 2, ("c", "news"): 5})
    left_out = {balance(strata, PAIRS, seed).left_out for seed in range(5)}
    assert len(left_out) > 1
    assert {len(names) for names in left_out} == {10}


def test_an_example_more_moves_at_most_one_of_its_own_kind() -> None:
    """Of those that have a smaller hash none is left out for it, where the smallest group stays as it is."""
    sizes: dict[Stratum, int] = {("e", "news"): 9, ("n", "news"): 2, ("c", "news"): 5}
    before, after = part(sizes), part({**sizes, ("e", "news"): 10})
    kept_before = before.keys() - balance(before, PAIRS, 1).left_out
    kept_after = after.keys() - balance(after, PAIRS, 1).left_out
    assert len(kept_before - kept_after) <= 1
    assert {after[name] for name in kept_before ^ kept_after} <= {("e", "news")}


@pytest.mark.parametrize("strata", [{}, part({("e", "news"): 3})])
def test_a_part_without_all_labels_stays_as_it_is(strata: dict[str, Stratum]) -> None:
    found = balance(strata, PAIRS, 1)
    assert (found.columns, found.left_out) == ((), frozenset())
    assert ("n",) in found.gaps


def test_without_columns_there_is_nothing_to_balance_by() -> None:
    assert balance({"a": (), "b": ()}, QuestionDataset(), 1) == Balance((), 0, [], frozenset())
