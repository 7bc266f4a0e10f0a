"""Passages are whole sentences of a document, each once, within their limits."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from beat_the_ai.contexts.documents import Document
from beat_the_ai.contexts.passages import passages, sentences


def document(text: str) -> Document:
    return Document("d", "Title", "news", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One came. Two left!  Who stayed?", ["One came.", "Two left!", "Who stayed?"]),
        ("“Go,” he said. “Now.” They\nwent.", ["“Go,” he said.", "“Now.”", "They went."]),
        ("Dr. Ames saw J. Holt at St. Mary's. He left.", ["Dr. Ames saw J. Holt at St. Mary's.", "He left."]),
        ("It cost 3.50 a day, i.e. little. Nobody paid.", ["It cost 3.50 a day, i.e. little.", "Nobody paid."]),
        ("Heading\n\nIt began.\n\nAnother heading\n\nIt ended", ["It began."]),
        ("Es war spät. Änne ging. 1931 kam sie zurück.", ["Es war spät.", "Änne ging.", "1931 kam sie zurück."]),
        ("It rained in the U.S.\n\nThen it stopped.", ["It rained in the U.S.", "Then it stopped."]),
        ("", []),
    ],
)
def test_sentences_end_with_their_marks_and_headings_are_none(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


def test_passages_are_as_long_as_whole_sentences_allow() -> None:
    text = "".join(f"Sentence {number} is here. " for number in range(10, 19))
    found = [passage.text for passage in passages(document(text), 30, 70)]
    assert found == [
        "Sentence 10 is here. Sentence 11 is here. Sentence 12 is here.",
        "Sentence 13 is here. Sentence 14 is here. Sentence 15 is here.",
        "Sentence 16 is here. Sentence 17 is here. Sentence 18 is here.",
    ]
    assert [passage.id for passage in passages(document(text), 30, 70)] == ["d/1", "d/2", "d/3"]


def test_a_sentence_that_is_too_long_is_in_none_and_parts_its_neighbours() -> None:
    text = f"{'A short one. ' * 3} It was {'very ' * 30}long. {'The other one. ' * 3}"
    found = [passage.text for passage in passages(document(text), 30, 60)]
    assert found == ["A short one. A short one. A short one.", "The other one. The other one. The other one."]


words = st.lists(st.sampled_from(["Nell", "ran", "the", "ferry.", "Why?", "St.", "1931", "\n\n", "“so”", "né."]))


@given(words, st.integers(1, 40), st.integers(0, 60))
@example(["Why?", "Nell", "Nell", "ferry.", "Why?", "ferry."], 5, 6)  # a sentence that begins as the one before
def test_every_passage_keeps_its_limits_and_no_sentence_is_in_two(text: list[str], least: int, more: int) -> None:
    whole = " ".join(text)
    found = [passage.text for passage in passages(document(whole), least, least + more)]
    assert all(least <= len(passage) <= least + more for passage in found)
    left = list(sentences(whole))
    for passage in found:
        rows = ((first, last) for first in range(len(left)) for last in range(first + 1, len(left) + 1))
        _, last = next((first, last) for first, last in rows if " ".join(left[first:last]) == passage)
        left = left[last:]  # in their order
