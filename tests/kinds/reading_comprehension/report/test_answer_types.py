"""Types of answers: what the rules say, where they are known to err included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.report.answer_types import ANSWER_TYPES, answer_type


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("3 March 1848", "date"),
        ("the late 1980s", "date"),
        ("on Tuesdays", "date"),
        ("they may rest", "verb or clause"),
        ("Tuesday", "date"),
        ("the 19th century", "date"),
        ("about 4,000 men", "number"),
        ("$12 million", "number"),
        ("twenty-one", "number"),
        ("the second", "number"),
        ("Sargasso Sea", "name"),
        ("the Duke of York", "name"),
        ("Apollo 11", "name"),
        ("to keep it dry", "verb or clause"),
        ("eating nothing", "verb or clause"),
        ("they believed that it was holy", "verb or clause"),
        ("transparent", "adjective or adverb"),
        ("very slowly", "noun phrase"),  # an error of the rules: "very" has no ending that tells it
        ("slowly", "adjective or adverb"),
        ("willow leaves", "noun phrase"),
        ("the gut", "noun phrase"),
        ("—", "other"),
        ("", "other"),
    ],
)
def test_the_rules(answer: str, kind: str) -> None:
    assert answer_type(answer) == kind


@given(st.text())
def test_every_text_has_a_type(answer: str) -> None:
    assert answer_type(answer) in ANSWER_TYPES
