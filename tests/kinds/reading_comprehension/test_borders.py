"""An answer must not cut words: the same cases as for the page's tests."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.borders import cuts_words, words

CASES = json.loads(
    (Path(__file__).parents[3] / "webapp" / "src" / "passage" / "borders.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['span']} of {case['text']}")
def test_an_answer_cuts_words_as_the_page_sees_it_too(case: dict[str, str | bool]) -> None:
    text, span = str(case["text"]), str(case["span"])
    start = text.index(span)
    assert cuts_words(text, start, start + len(span)) is case["cuts"]


@given(st.text(alphabet="ab1.,'’$%°-_ é\u0301\u200d🇩😀中가ת", max_size=30))
def test_words_cover_all_that_is_not_white_space_and_none_overlap(text: str) -> None:
    found = words(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert [at for start, end in found for at in (start, end)] == sorted(at for word in found for at in word)
    covered = {at for start, end in found for at in range(start, end)}
    assert {at for at, char in enumerate(text) if not char.isspace()} <= covered


@given(st.text(alphabet="ab1.,'$%- é\u0301中가", min_size=1, max_size=30))
def test_whole_words_are_never_said_to_be_cut(text: str) -> None:
    found = words(text)
    assert not any(cuts_words(text, start, end) for start, _ in found for _, end in found if start < end)


def test_a_long_passage_takes_no_time_to_speak_of() -> None:
    text = "word 's $1 % " * 20_000 + "a\u0301" * 20_000
    began = time.process_time()
    words(text)
    assert time.process_time() - began < 20
