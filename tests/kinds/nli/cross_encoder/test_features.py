from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.nli.cross_encoder.features import HYPOTHESIS, MAX_PIECES, PREMISE, batch, encode
from beat_the_ai.networks.text import Vocabulary

LETTERS = [chr(number) for number in range(33, 127) if not chr(number).isupper()]
VOCABULARY = Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{letter}" for letter in LETTERS), "rome"])
TEXTS = st.lists(st.tuples(st.text(max_size=60), st.text(max_size=60)), min_size=1, max_size=4)


def arrays_of(*pairs: tuple[str, str]) -> dict[str, np.ndarray]:
    first, second = ([encode(pair[side], VOCABULARY) for pair in pairs] for side in (0, 1))
    return batch(first, second, VOCABULARY)


def test_premise_and_hypothesis_stand_in_one_sequence() -> None:
    arrays = arrays_of(("Rome, ab", "b Rome"))
    assert [VOCABULARY.pieces[piece] for piece in arrays["pieces"][0]] == [
        *("[CLS]", "rome", ",", "a", "##b", "[SEP]"),
        *("b", "rome", "[SEP]"),
    ]
    assert arrays["segments"][0].tolist() == [PREMISE] * 6 + [HYPOTHESIS] * 3


def test_a_piece_knows_how_its_word_occurs_on_the_other_side() -> None:
    match = arrays_of(("She plays rome", "he played Rome"))["match"][0]
    she, plays, rome = [[0, 0, 0]] * 3, [[0, 0, 1]] * 5, [[0, 1, 1]]
    he, played = [[0, 0, 0]] * 2, [[0, 0, 1]] * 6
    assert match.tolist() == [[0, 0, 0], *she, *plays, *rome, [0, 0, 0], *he, *played, *rome, [0, 0, 0]]


def test_the_end_of_a_long_premise_is_cut_off_and_the_hypothesis_is_not() -> None:
    arrays = arrays_of(("a " * 400 + "rome", "b rome"), ("a", "b " * 400))
    assert arrays["pieces"].shape == (2, MAX_PIECES)
    last = [VOCABULARY.pieces[piece] for piece in arrays["pieces"][0, -4:]]
    assert last == ["[SEP]", "b", "rome", "[SEP]"]
    assert arrays["match"][0, -2].tolist() == [0, 0, 0]  # what is cut off matches nothing
    assert (arrays["segments"][1] == PREMISE).sum() == 3


@given(TEXTS)
def test_any_text_gives_arrays_of_the_promised_shapes(pairs: list[tuple[str, str]]) -> None:
    arrays = arrays_of(*pairs)
    length = arrays["pieces"].shape[1]
    assert length <= MAX_PIECES
    assert arrays["segments"].shape == (len(pairs), length)
    assert arrays["match"].shape == (len(pairs), length, 3)
    assert ((arrays["pieces"] == 0) == (arrays["segments"] == 0)).all()
    for pair, row in zip(pairs, arrays["pieces"], strict=True):
        assert row[row != 0].tolist() == arrays_of(pair)["pieces"][0].tolist()
