from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.networks.text import Vocabulary, fold, stem, words

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##ed", "the", ".", "p", "##l", "##a", "##y"]


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(PIECES)


@given(st.text())
def test_every_word_stands_where_it_says(text: str) -> None:
    for word in words(text):
        assert text[word.start : word.end] == word.text
        assert word.text


@given(st.text())
def test_words_are_in_order_and_leave_out_only_white_space(text: str) -> None:
    found = words(text)
    assert all(left.end <= right.start for left, right in pairwise(found))
    inside = {index for word in found for index in range(word.start, word.end)}
    assert all(char.isspace() for index, char in enumerate(text) if index not in inside)


def test_punctuation_and_ideographs_are_words_of_their_own() -> None:
    assert [word.text for word in words("U.S. won 3–1, 東京!")] == [*"U.S.", "won", *"3–1,東京!"]


def test_an_accent_in_a_character_of_its_own_stays_with_its_letter() -> None:
    assert [word.text for word in words("Re\u0301mus ran")] == ["Re\u0301mus", "ran"]


def test_folding_takes_case_and_accents_off() -> None:
    assert fold("RÉMUS") == "remus"
    assert fold("É") == fold("E\u0301") == "e"


@pytest.mark.parametrize(
    ("one", "other"), [("invented", "invents"), ("invention", "inventions"), ("quickly", "quick"), ("cats", "cat")]
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_a_word_is_cut_into_its_longest_pieces(vocabulary: Vocabulary) -> None:
    assert [PIECES[piece] for piece in vocabulary.pieces_of("playing")] == ["play", "##ing"]
    assert [PIECES[piece] for piece in vocabulary.pieces_of("play")] == ["play"]


@pytest.mark.parametrize("word", ["playx", "", "日", "p" + "l" * 9])
def test_a_word_that_does_not_come_out_in_a_few_pieces_is_unknown(vocabulary: Vocabulary, word: str) -> None:
    assert vocabulary.pieces_of(word) == (vocabulary.unknown,)


def test_a_vocabulary_survives_its_file(vocabulary: Vocabulary, tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.txt"
    vocabulary.save(path)
    assert Vocabulary.load(path).pieces == vocabulary.pieces
