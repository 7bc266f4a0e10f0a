"""The draw of a round's contexts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.contexts.draw import draw_contexts, draw_in_balance, same_text
from beat_the_ai.rules.protocol import Context

CONTEXTS = [Context(f"passage/{number}", "text") for number in range(40)]


@given(st.integers(), st.integers(0, 60), st.permutations(CONTEXTS))
def test_the_draw_depends_on_seed_and_ids_not_on_the_order_of_the_file(
    seed: int, count: int, shuffled: list[Context]
) -> None:
    assert draw_contexts(shuffled, seed, count) == draw_contexts(CONTEXTS, seed, count)


@given(st.integers(), st.integers(0, 40), st.integers(0, 40))
def test_a_larger_draw_only_adds(seed: int, count: int, more: int) -> None:
    assert draw_contexts(CONTEXTS, seed, count + more)[:count] == draw_contexts(CONTEXTS, seed, count)


def test_another_seed_draws_other_contexts() -> None:
    draws = {tuple(context.id for context in draw_contexts(CONTEXTS, seed, 10)) for seed in range(20)}
    assert len(draws) == 20


@pytest.mark.parametrize(
    "twin", ["The MILL turns.", " The\u00a0 mill\n turns. ", "Ｔhe mill turns.", "The mill turn\u017f."]
)
def test_case_spacing_and_forms_of_characters_make_no_other_text(twin: str) -> None:
    assert same_text(twin) == same_text("The mill turns.")


@pytest.mark.parametrize("other", ["The mill turns", "The mill turned.", "Themill turns.", ""])
def test_other_characters_do(other: str) -> None:
    assert same_text(other) != same_text("The mill turns.")


@given(st.text())
def test_the_form_of_a_text_is_its_own_form(text: str) -> None:
    assert same_text(same_text(text)) == same_text(text)


@given(st.integers(), st.integers(0, 40), st.lists(st.sampled_from("abc"), min_size=40, max_size=40))
def test_any_beginning_of_a_balanced_draw_has_of_each_group_its_share(seed: int, count: int, groups: list[str]) -> None:
    group_of = {context.id: group for context, group in zip(CONTEXTS, groups, strict=True)}
    drawn = draw_in_balance(CONTEXTS, seed, count, lambda context: group_of[context.id])
    assert drawn == draw_in_balance(CONTEXTS[::-1], seed, 40, lambda context: group_of[context.id])[:count]
    assert len({context.id for context in drawn}) == count
    for group in set(groups):
        share = groups.count(group) / len(groups)
        assert abs(sum(group_of[context.id] == group for context in drawn) - share * count) <= 1.5


@given(st.integers(), st.integers(0, 40))
def test_without_groups_a_balanced_draw_is_the_plain_one(seed: int, count: int) -> None:
    assert draw_in_balance(CONTEXTS, seed, count, lambda _: "") == draw_contexts(CONTEXTS, seed, count)
