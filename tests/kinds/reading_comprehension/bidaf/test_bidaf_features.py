from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.bidaf import features
from beat_the_ai.kinds.reading_comprehension.bidaf.features import MAX_PIECES, MAX_WORDS, batch, encode, windows
from beat_the_ai.networks.text import Vocabulary, words

LETTERS = [chr(number) for number in range(33, 127) if not chr(number).isupper()]
VOCABULARY = Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{letter}" for letter in LETTERS), "rome"])

TEXTS = st.lists(st.text(max_size=40), min_size=1, max_size=4)


def test_a_word_points_to_its_first_piece() -> None:
    encoded = encode("Rome, 753 BC", VOCABULARY)
    seen = [VOCABULARY.pieces[piece] for piece in encoded.pieces]
    assert seen == ["[CLS]", "rome", ",", "7", "##5", "##3", "b", "##c", "[SEP]"]
    assert encoded.first_piece.tolist() == [1, 2, 3, 6]
    assert encoded.shape.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [1, 1, 0, 0]]


def test_a_passage_word_knows_how_it_matches_the_question() -> None:
    arrays = batch([encode("She plays Rome well", VOCABULARY)], [encode("who played rome", VOCABULARY)], [0])
    assert arrays["match"][0].tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 0, 0]]


@given(TEXTS, st.data())
def test_a_batch_holds_what_its_texts_hold_alone(texts: list[str], data: st.DataObject) -> None:
    passages = [encode(text, VOCABULARY) for text in texts]
    owner = data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=1, max_size=5))
    questions = [encode(data.draw(st.text(max_size=20)), VOCABULARY) for _ in owner]
    together = batch(passages, questions, owner)
    for row, (question, passage) in enumerate(zip(questions, owner, strict=True)):
        alone = batch([passages[passage]], [question], [0])
        for name, values in alone.items():
            if name == "owner":
                continue
            part = together[name][passage if name.startswith("passage") else row]
            inside = tuple(slice(0, size) for size in values[0].shape)
            np.testing.assert_array_equal(part[inside], values[0])
            assert np.count_nonzero(part) == np.count_nonzero(values[0])


@given(st.text(max_size=30), st.integers(1, 60))
def test_windows_together_have_every_word_of_a_long_passage(text: str, times: int) -> None:
    passage = f"{text} a " * times
    found = windows(passage, VOCABULARY)
    together = {word for window in found for word in window.words}
    assert together == set(words(passage))
    assert all(len(window.words) <= MAX_WORDS and len(window.pieces) <= MAX_PIECES for window in found)


def test_windows_overlap_so_that_no_answer_is_cut() -> None:
    found = windows("word " * 1000, VOCABULARY)
    for left, right in pairwise(found):
        assert len(set(left.words) & set(right.words)) >= 16


def test_lone_surrogates_and_controls_are_read() -> None:
    assert len(encode("a\ud800b \x00 \U0001f43a", VOCABULARY).words) == 5
    assert features.encode("", VOCABULARY).shape.shape == (0, 4)
