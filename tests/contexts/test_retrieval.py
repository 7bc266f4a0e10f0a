"""Passages for questions: on figures that are worked out by hand, and whatever the questions."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.contexts.retrieval import Index, best_for_each

TEXTS = ["The ferry ran to the mill.", "A mill, a mill!", "Salt was sold."]


def test_similarities_are_cosines_of_tf_idf() -> None:
    """Three texts: mill is in two of them, salt in one; the query knows no other word of theirs."""
    mill, rare = 1 + log(4 / 3), 1 + log(4 / 2)
    first = [rare * (1 + log(2)), rare, rare, rare, mill]  # the, ferry, ran, to, mill
    second = [rare * (1 + log(2)), mill * (1 + log(2))]  # a, mill
    third = [rare] * 3
    query = sqrt(mill**2 + rare**2)

    def length(weights: list[float]) -> float:
        return sqrt(sum(weight**2 for weight in weights))

    assert Index(TEXTS).similarities("Mill or salt?") == pytest.approx(
        [
            mill * mill / length(first) / query,
            mill * mill * (1 + log(2)) / length(second) / query,
            rare * rare / length(third) / query,
        ]
    )


def test_each_question_gets_the_best_that_is_left() -> None:
    assert list(best_for_each(TEXTS, ["mill", "MILL", "ｍｉｌｌ", "salt"])) == [1, 0, None, 2]
    assert list(best_for_each(TEXTS, ["mill", "salt"], taken={1, 2})) == [0, None]


def test_of_equals_the_first_is_taken() -> None:
    assert list(best_for_each(["same words", "same words"], ["words", "words", "words"])) == [0, 1, None]


@pytest.mark.parametrize("texts", [[], [""], ["?!"]])
def test_where_no_text_has_a_word_there_is_none(texts: list[str]) -> None:
    assert list(best_for_each(texts, ["mill", ""])) == [None, None]


some = st.lists(st.text("abc ", max_size=8), max_size=8)


@given(some, some, st.sets(st.integers(0, 7)))
def test_no_text_is_given_out_twice_and_none_that_is_taken(
    texts: list[str], questions: list[str], taken: set[int]
) -> None:
    places = taken & set(range(len(texts)))
    found = list(best_for_each(texts, questions, places))
    assert len(found) == len(questions)
    chosen = [place for place in found if place is not None]
    assert len(set(chosen)) == len(chosen)
    assert not set(chosen) & places
    assert all(
        set(question.split()) & set(texts[place].split())
        for question, place in zip(questions, found, strict=True)
        if place is not None
    )
    assert found == list(best_for_each(texts, questions, places))
