"""Tokens, kinds of question and longest common runs, by hand and against their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.report.words import (
    OTHER,
    WH_WORDS,
    PassageOverlap,
    count_words,
    tokens,
    wh_word,
)

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


def test_tokens_are_lower_cased_runs_of_word_characters() -> None:
    assert tokens("Rome's 3rd — naïve_plan, 4.5!") == ["rome", "s", "3rd", "naïve_plan", "4", "5"]


def test_words_stand_between_white_space() -> None:
    assert count_words("  the  well-known\tU.S. \n plan — ") == 5


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What fell?", "what"),
        ("WHAT'S that?", "what"),
        ("Whose was it?", "who"),
        ("To whom was it given?", OTHER),
        ("In what year?", "in"),
        ('"When" is said where?', "when"),
        ("Name one.", OTHER),
        ("Whatever?", OTHER),
        ("?", OTHER),
    ],
)
def test_the_first_token_tells_the_kind_of_question(question: str, kind: str) -> None:
    assert wh_word(question) == kind
    assert kind in (*WH_WORDS, OTHER)


@pytest.mark.parametrize(
    ("question", "length"),
    [
        ("When did the Last Emperor, of Rome, die?", 5),  # case and punctuation do not count
        ("Which emperor was last?", 1),
        ("Emperor last of Rome", 2),  # the order counts
        ("???", 0),
        ("", 0),
    ],
)
def test_the_longest_run_is_contiguous_in_both(question: str, length: int) -> None:
    assert PassageOverlap("He was the last emperor of Rome; the emperor died.").longest(question) == length


@given(WORDS, WORDS)
def test_the_longest_run_is_that_of_trying_all(passage: list[str], question: list[str]) -> None:
    runs = [question[i:j] for i in range(len(question)) for j in range(i + 1, len(question) + 1)]
    standing = [len(run) for run in runs if any(passage[k : k + len(run)] == run for k in range(len(passage)))]
    assert PassageOverlap(" ".join(passage)).longest(" ".join(question)) == max(standing, default=0)
