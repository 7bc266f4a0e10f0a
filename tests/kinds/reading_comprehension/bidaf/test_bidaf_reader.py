from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from beat_the_ai.kinds.reading_comprehension.bidaf.features import Array
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import Reader
from beat_the_ai.kinds.reading_comprehension.writing import Query
from beat_the_ai.networks.text import Vocabulary
from tests.kinds.reading_comprehension.certainty import certainty

Floats = NDArray[np.float32]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "word", "gold", "silver"]
LOUDNESS = {PIECES.index("gold"): 9.0, PIECES.index("silver"): 6.0}


def loudest(arrays: dict[str, Array]) -> tuple[Floats, Floats]:
    """A fake network that points to "gold", failing that to "silver"."""
    first_pieces = np.take_along_axis(arrays["passage_pieces"], arrays["passage_words"], axis=1)
    logits = np.vectorize(lambda piece: LOUDNESS.get(piece, 0.0), otypes=[np.float32])(first_pieces)
    return logits, logits


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Vocabulary(PIECES), loudest)


def test_the_answer_is_cut_from_the_passage_as_it_is_written(reader: Reader) -> None:
    [answer] = reader.predict([Query(context="🐺 word GÓLD, word", question="?")])
    assert (answer.text, answer.start) == ("GÓLD", 7)


@pytest.mark.parametrize("before", [0, 150, 400, 1300])
def test_the_best_span_of_all_windows_of_a_long_passage_wins(reader: Reader, before: int) -> None:
    context = "silver " + "word " * before + "gold" + " word" * 900
    [answer] = reader.predict([Query(context=context, question="where?")])
    assert answer.text == "gold"
    assert context[answer.start :].startswith("gold")


def test_a_rival_in_another_window_lowers_the_score(reader: Reader) -> None:
    [alone] = reader.predict([Query(context="gold" + " word" * 900, question="?")])
    [twice] = reader.predict([Query(context="gold" + " word" * 900 + " gold", question="?")])
    assert certainty(alone) > 0.9
    assert 0.4 < certainty(twice) < 0.55


@pytest.mark.parametrize("context", ["", "  \n\t", "\u3000"])
def test_a_passage_without_words_gets_an_empty_answer(reader: Reader, context: str) -> None:
    [answer] = reader.predict([Query(context=context, question="why?")])
    assert (answer.text, answer.start, answer.score) == ("", 0, 0.0)


@given(st.text(max_size=60), st.text(max_size=20))
def test_every_answer_stands_in_its_passage(reader: Reader, context: str, question: str) -> None:
    [answer] = reader.predict([Query(context=context, question=question)])
    assert context[answer.start : answer.start + len(answer.text)] == answer.text
    assert 0 <= certainty(answer) <= 1


def test_a_higher_temperature_is_less_sure() -> None:
    query = Query(context="silver gold word", question="?")
    [sure] = Reader(Vocabulary(PIECES), loudest).predict([query])
    [unsure] = Reader(Vocabulary(PIECES), loudest, temperature=3.0).predict([query])
    assert unsure.text == sure.text
    assert certainty(unsure) < certainty(sure)
