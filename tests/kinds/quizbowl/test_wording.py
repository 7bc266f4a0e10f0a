"""Words and sentences by their places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.quizbowl.wording import Place, sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Pell met B. F. Skinner in St. Gall. He left.", ["Dr. Pell met B. F. Skinner in St. Gall.", "He left."]),
        ('She said "No." Then "Yes!" followed.', ['She said "No."', 'Then "Yes!" followed.']),
        ("It costs 3.5 thalers. 10 were paid", ["It costs 3.5 thalers.", "10 were paid"]),
        ("no stop and no capital. still the same", ["no stop and no capital. still the same"]),
        ("  spaces around.  And between. ", ["spaces around.", "And between."]),
        ("Its No. 5 is his Op. 67. Play it.", ["Its No. 5 is his Op. 67.", "Play it."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[place.start : place.end] for place in sentences(text)] == expected


def test_words_are_what_white_space_parts() -> None:
    assert words("a 𝄞-clef, two") == [Place(0, 1), Place(2, 9), Place(10, 13)]


@given(st.text(max_size=200))
def test_places_are_in_order_and_cover_all_that_is_no_space(text: str) -> None:
    for places in (words(text), sentences(text)):
        covered = "".join(text[place.start : place.end] for place in places)
        assert "".join(covered.split()) == "".join(text.split())
        assert all(before.end <= after.start for before, after in pairwise(places))
