"""How passages are divided: by hand, and over random campaigns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.contexts.draw import draw_contexts
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.protocol import Context
from beat_the_ai.terms import division as parts
from beat_the_ai.terms.division import DEV, PARTS, TEST, TRAIN, Division

WORKERS = [f"w{number}" for number in range(6)]


def divide(
    rounds: Mapping[int, Sequence[Context]], written: Iterable[tuple[str, str]], division: Division
) -> dict[str, str]:
    """With one division for all rounds, nothing of which was divided before."""
    return parts.divide(rounds, {}, written, dict.fromkeys(rounds, division))


def passages(count: int, start: int = 0) -> list[Context]:
    return [Context(f"c{number}", f"text {number}") for number in range(start, start + count)]


@st.composite
def campaigns(draw: st.DrawFn) -> tuple[dict[int, list[Context]], list[tuple[str, str]], Division]:
    """Rounds with contexts of their own, some of which have the same text, who wrote where, and a division."""
    texts = draw(st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=30))
    rounds: dict[int, list[Context]] = {}
    for number, text in enumerate(texts):
        rounds.setdefault(draw(st.integers(1, 3)), []).append(Context(f"c{number}", text))
    ids = [f"c{number}" for number in range(len(texts))]
    written = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(WORKERS)), max_size=20))
    sizes = draw(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)).filter(any))
    listed = draw(st.frozensets(st.sampled_from(WORKERS), max_size=2))
    return rounds, written, Division(draw(st.integers(0, 99)), *sizes, listed, draw(st.sampled_from([0.0, 0.3, 1.0])))


@given(campaigns())
def test_no_passage_crosses_parts_and_exclusive_writers_are_in_test_only(
    campaign: tuple[dict[int, list[Context]], list[tuple[str, str]], Division],
) -> None:
    rounds, written, division = campaign
    part_of = divide(rounds, written, division)
    contexts = [context for of_round in rounds.values() for context in of_round]
    assert part_of.keys() == {context.id for context in contexts}
    parts_of_text: dict[str, set[str]] = {}
    for context in contexts:
        parts_of_text.setdefault(context.text, set()).add(part_of[context.id])
    assert all(len(parts) == 1 for parts in parts_of_text.values())
    for context_id, worker in written:
        if worker in division.exclusive_writers or division.exclusive_share == 1:
            assert part_of[context_id] == TEST
    assert part_of == divide({n: rounds[n][::-1] for n in reversed(rounds)}, written[::-1], division)


@given(st.integers(0, 200), st.integers(0, 9))
def test_the_proportions_hold_within_one_passage_of_each_round(count: int, seed: int) -> None:
    sizes = Counter(divide({1: passages(count)}, [], Division(seed, 10, 1, 1)).values())
    for part, share in zip(PARTS, (10 / 12, 1 / 12, 1 / 12), strict=True):
        assert abs(sizes[part] - count * share) <= 1


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 9))
def test_a_round_that_goes_on_in_its_file_moves_no_passage(first: int, more: int, seed: int) -> None:
    drawn = draw_contexts(passages(first + more), seed, first + more)
    before = divide({1: drawn[:first]}, [], Division(seed))
    after = divide({1: drawn}, [], Division(seed))
    assert before.items() <= after.items()


@given(st.permutations(range(30)), st.integers(1, 30), st.integers(0, 9))
def test_contexts_keep_their_parts_whatever_is_added_to_their_round(order: list[int], first: int, seed: int) -> None:
    """Rounds take more contexts in balance by genre, not in the order of the division."""
    contexts = [Context(f"c{number}", f"text {number}") for number in order]
    division = {1: Division(seed, 10, 1, 1)}
    before = parts.divide({1: contexts[:first]}, {}, [], division)
    after = parts.divide({1: contexts}, before, [], division)
    assert before.items() <= after.items()
    sizes = Counter(after.values())
    for part, share in zip(PARTS, (10 / 12, 1 / 12, 1 / 12), strict=True):
        assert abs(sizes[part] - 30 * share) <= 1


def test_a_new_round_moves_no_passage_of_an_earlier_one() -> None:
    before = divide({1: passages(20)}, [], Division(1))
    assert before.items() <= divide({1: passages(20), 2: passages(30, 20)}, [], Division(1)).items()


def test_the_seed_decides() -> None:
    contexts = {1: passages(48)}
    assert divide(contexts, [], Division(1)) == divide(contexts, [], Division(1))
    assert divide(contexts, [], Division(1)) != divide(contexts, [], Division(2))


def test_a_passage_of_an_exclusive_writer_moves_to_test_with_its_twin() -> None:
    contexts = {1: [Context("a", "same text"), Context("b", "Same\u00a0 TEXT"), Context("c", "other")]}
    division = Division(1, 1, 0, 0, frozenset({"exclusive"}))
    written = [("a", "exclusive"), ("b", "w1"), ("c", "w1")]
    assert divide(contexts, written, division) == {"a": TEST, "b": TEST, "c": TRAIN}


def test_about_the_share_of_workers_is_exclusive() -> None:
    division = Division(3, exclusive_share=0.25)
    assert 200 < sum(division.is_exclusive(f"worker {number}") for number in range(1000)) < 300


def test_a_part_of_size_0_stays_empty() -> None:
    assert DEV not in divide({1: passages(40)}, [], Division(1, 4, 0, 1)).values()


@pytest.mark.parametrize("wrong", [(0, 0, 0), (-1, 1, 1)])
def test_impossible_sizes_are_refused(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(InvalidInput, match="sizes"):
        Division(1, *wrong)


def test_an_impossible_share_is_refused() -> None:
    with pytest.raises(InvalidInput, match="0 to 1"):
        Division(1, exclusive_share=1.5)


def test_each_round_has_a_division_of_its_own() -> None:
    rounds = {1: passages(4), 2: passages(4, start=4)}
    listed = Division(1, 1, 0, 0, frozenset({"w0"}))
    written = [("c0", "w0"), ("c4", "w0")]
    part_of = parts.divide(rounds, {}, written, {1: listed, 2: Division(1, 0, 1, 0)})
    assert part_of == {"c0": TEST, **dict.fromkeys(["c1", "c2", "c3"], TRAIN), **{f"c{n}": DEV for n in range(4, 8)}}
