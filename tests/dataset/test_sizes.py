"""Parts of so many examples: whole contexts, a share of exclusive writers, what is left over, splits from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.campaign.settings.splits import handed_in, read_splits
from beat_the_ai.dataset.balance import Size, balance
from beat_the_ai.dataset.contexts import contexts
from beat_the_ai.dataset.placement import HANDED_IN, SIZED, SURPLUS, UNBALANCED, Placement
from beat_the_ai.dataset.records import Placed
from beat_the_ai.dataset.sizes import Eligible, fit
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.dataset import PairDataset
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Campaign, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS
from beat_the_ai.terms.round import DatasetSettings
from tests.dataset.builders import Tried, passage, stored
from tests.kinds.nli.balanced import GENRES, cell, hits_of, offered, write
from tests.store.builders import NEW_YEAR

EXAMPLES = st.lists(st.builds(Eligible, st.uuids().map(str), st.integers(0, 6), st.booleans()), max_size=40)


@given(EXAMPLES, st.integers(0, 30), st.none() | st.integers(0, 10), st.sets(st.integers(0, 6)), st.integers(0, 9))
def test_a_part_has_its_examples_and_contexts_stay_whole(
    examples: list[Eligible], wanted: int, most_exclusive: int | None, fixed: set[int], seed: int
) -> None:
    fixed |= {one.context for one in examples if one.exclusive}  # type: ignore[misc]
    found = fit(
        examples,
        list(range(7)),
        wanted,
        most_exclusive=most_exclusive,
        may_leave=set(range(7)) - fixed,
        seed=seed,
    )
    assert not found.leaving & fixed
    stays = [one for one in examples if one.context not in found.leaving]
    kept = [one for one in stays if one.id not in found.surplus]
    assert len(kept) <= wanted
    exclusive = sum(one.exclusive for one in kept)
    assert most_exclusive is None or exclusive <= most_exclusive
    assert exclusive == min(
        wanted, sum(one.exclusive for one in examples), wanted if most_exclusive is None else most_exclusive
    )
    others = sum(not one.exclusive for one in examples)
    assert len(kept) == min(wanted, exclusive + others)
    assert found.surplus <= {one.id for one in stays}


STRATA = st.lists(st.tuples(st.sampled_from("enc"), st.sampled_from(["news"])), min_size=1, max_size=40)


@given(STRATA, st.integers(1, 40), st.sets(st.integers(0, 39)), st.none() | st.sampled_from([0.0, 0.3, 1.0]))
def test_a_balanced_part_has_its_size_within_one_example_a_combination(
    strata: list[tuple[str, str]], wanted: int, exclusive: set[int], share: float | None
) -> None:
    named = {f"{number}": stratum for number, stratum in enumerate(strata)}
    size = Size(wanted, {f"{number}" for number in exclusive}, share)
    found = balance(named, PairDataset(), 1, size)
    if found.columns:
        kept = Counter(stratum for name, stratum in named.items() if name not in found.left_out)
        sizes = [kept[label, "news"] for label in "enc"]
        assert sum(sizes) <= wanted
        assert max(sizes) - min(sizes) <= 1
        assert sum(sizes) == 3 * found.size + found.longer
        assert share is not None or min(sizes) > 0
        available = min(Counter(strata).values())
        assert share is not None or sum(sizes) == wanted or min(sizes) == available
        for label in "enc":
            mine = [name for name, stratum in named.items() if stratum[0] == label and name not in found.left_out]
            theirs = sum(name in size.exclusive for name in mine)
            assert share is None or theirs <= round(share * max(sizes))


def sized(store: Store, tried: list[Tried], section: Mapping[str, object]) -> BoundCampaign:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, NEW_YEAR), {"dataset": section})
    return BoundCampaign.open(store, stored(store, tried, 14).id)


TRIED = [Tried(number % 14, f"A{number % 5}", question=f"Q {number}?") for number in range(56)]


def test_contexts_that_test_and_dev_need_no_more_go_on_as_wholes(store: Store) -> None:
    section = {"train": 2, "dev": 3, "test": 3, "dev_examples": 6, "test_examples": 5}
    placement = Placement(sized(store, TRIED, section))
    placed = list(placement.attempts())
    kept = Counter(each.context_part for each in placed if each.dropped is None)
    assert (kept["dev"], kept["test"]) == (6, 5)
    assert Counter(each.dropped for each in placed)[SURPLUS] == 2 + 3  # of contexts with four examples each
    assert kept["train"] == 56 - 6 - 5 - 5
    part_of = {row.context_id: (row.part, row.part_by) for row in contexts(placement).rows}  # type: ignore[attr-defined]
    assert {part_of[each.row.hit.context.id] for each in placed} == {
        (each.context_part, each.part_by) for each in placed
    }
    assert ("train", SIZED) in part_of.values()
    again = Placement(placement.campaign)
    assert [(each.context_part, each.dropped) for each in again.attempts()] == [
        (each.context_part, each.dropped) for each in placed
    ]


def test_exclusive_writers_have_their_share_of_test_and_stay_there(store: Store) -> None:
    section = {
        "train": 2, "dev": 1, "test": 1, "exclusive_writers": ["A1", "A3"], "test_examples": 10,
        "exclusive_test_share": 0.3,
    }  # fmt: skip
    placed = list(Placement(sized(store, TRIED, section)).attempts())
    test = [each for each in placed if each.context_part == "test" and each.dropped is None]
    assert Counter(each.exclusive for each in test) == {True: 3, False: 7}
    assert {each.context_part for each in placed if each.exclusive} == {"test"}


def test_a_part_that_nothing_follows_leaves_out_what_is_too_much(store: Store) -> None:
    placed = list(Placement(sized(store, TRIED, {"train": 0, "dev": 0, "test": 1, "test_examples": 9})).attempts())
    assert {each.context_part for each in placed} == {"test"}
    assert Counter(each.dropped for each in placed) == {None: 9, SURPLUS: 47}


def test_splits_are_handed_in(tmp_path: Path) -> None:
    path = tmp_path / "contexts.jsonl"
    path.write_text('{"context_id": "a", "part": "dev", "round": 1}\n{"context_id": "b", "part": "test"}\n')
    offered = [Context("a", "One."), Context("b", "Two.")]
    assert handed_in(path, offered, {}) == {"a": "dev", "b": "test"}
    assert handed_in(path, offered, {"a": "train"}) == {"b": "test"}  # it was on offer before
    assert handed_in(tmp_path / "gone", offered, {"a": "dev", "b": "test"}) == {}
    with pytest.raises(InvalidInput, match=r"does not name the part of 1 contexts of the round, such as 'c'"):
        handed_in(path, [*offered, Context("c", "Three.")], {})
    with pytest.raises(InvalidInput, match="the text of 'b' into two parts"):
        handed_in(path, [Context("a", "One."), Context("b", "one. ")], {})
    path.write_text('{"context_id": "a", "part": "dev"}\n{"context_id": "a", "part": "test"}\n')
    with pytest.raises(InvalidInput, match="line 2: 'a' is in dev already"):
        read_splits(path)
    path.write_text('{"context_id": "a", "part": "val"}\n')
    with pytest.raises(InvalidInput, match="part"):
        read_splits(path)


def test_parts_that_were_handed_in_stay(store: Store, tmp_path: Path) -> None:
    section = {"train": 1, "dev": 1, "test": 1, "test_examples": 5, "splits": str(tmp_path / "gone")}
    campaign = sized(store, TRIED, section)
    placement = Placement(campaign)
    assert {row.part_by for row in contexts(placement).rows} == {HANDED_IN}  # type: ignore[attr-defined]
    kept = Counter(each.context_part for each in placement.attempts() if each.dropped is None)
    assert kept["test"] == 5
    assert passage(0).id in placement.part_of


def test_a_share_needs_a_size() -> None:
    with pytest.raises(ValueError, match="set that, too"):
        DatasetSettings(exclusive_test_share=0.3)
    assert DatasetSettings(test_examples=1000, exclusive_test_share=0.3).most_exclusive == 300


def test_surplus_of_a_balanced_test_goes_to_dev_with_its_context(store: Store) -> None:
    campaign = offered(store, {"test_examples": 6, "dev_examples": 50})
    for hit in hits_of(campaign):
        write(campaign, hit)
    placement = Placement(campaign)
    placed = list(placement.attempts())
    parts: dict[str, list[Placed]] = {part: [] for part in PARTS}
    for each in placed:
        if each.dropped is None:
            parts[each.context_part or ""].append(each)
    cells = Counter(cell(campaign, each.row.hit.id)[1:] for each in parts["test"])
    assert cells == dict.fromkeys(product(("entailment", "neutral", "contradiction"), GENRES), 1)
    contexts_of = {part: {each.row.hit.context.id for each in rows} for part, rows in parts.items()}
    assert not contexts_of["test"] & contexts_of["dev"]
    assert len(contexts_of["dev"]) == 16 - len(contexts_of["test"])
    assert {each.part_by for each in parts["dev"]} == {SIZED}
    assert {each.dropped for each in placed if each.context_part == "test"} == {None, UNBALANCED}
    assert placement.balances[1, "test"].size == 1
