"""Words and sentences by their places."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.quizbowl.wording import Place, sentences, words

EXAMPLES = json.loads(
    (Path(__file__).parents[3] / "webapp" / "src" / "kinds" / "quizbowl" / "wording.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["text"])
def test_the_page_counts_the_same(example: dict[str, Any]) -> None:
    text = example["text"]
    assert len(words(text)) == example["words"]
    assert [text[place.start : place.end] for place in sentences(text)] == example["sentences"]


def test_words_are_what_white_space_parts() -> None:
    assert words("a 𝄞-clef, two") == [Place(0, 1), Place(2, 9), Place(10, 13)]


@given(st.text(max_size=200))
def test_places_are_in_order_and_cover_all_that_is_no_space(text: str) -> None:
    for places in (words(text), sentences(text)):
        covered = "".join(text[place.start : place.end] for place in places)
        assert "".join(covered.split()) == "".join(text.split())
        assert all(before.end <= after.start for before, after in pairwise(places))
