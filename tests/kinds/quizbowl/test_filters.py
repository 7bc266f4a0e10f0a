"""Which questions reviewers look at first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.collection import SHIPPED, read_questions
from beat_the_ai.kinds.quizbowl.filters import HERE, KNOWN, QuestionFilters
from beat_the_ai.kinds.quizbowl.writing import Work
from tests.kinds.quizbowl.questions import KILN, LOOM, PIECE


def about(filters: QuestionFilters, text: str) -> str:
    return " ".join(filters.about(Work(text=text, answer="Loom"), PIECE))


@pytest.mark.parametrize(
    "text", [LOOM, "God, a slave and Dick Cheney kill a virgin organ in Reich's Moby-Dick. Assess it."]
)
def test_nothing_is_said_of_an_ordinary_question(text: str) -> None:
    assert about(QuestionFilters(), text) == ""


@pytest.mark.parametrize("word", ["fucking", "Sh1t", "CUNT"])
def test_a_vulgar_word_is_named(word: str) -> None:
    assert f"({word})" in about(QuestionFilters(), f"{LOOM} It is {word} old.")


def test_a_repeat_is_known_though_words_are_changed() -> None:
    changed = LOOM.replace("A lever", "One lever").replace("flies", "runs").upper()
    filters = QuestionFilters([{"text": LOOM, "answer": "Loom"}], known=[KILN])
    assert HERE in about(filters, changed)
    assert KNOWN in about(filters, f"Now then. {KILN}")
    assert about(filters, "Weavers throw a shuttle over it. They beat what it made. Name it, please.") == ""


def test_what_was_judged_is_remembered() -> None:
    filters = QuestionFilters()
    assert about(filters, LOOM) == ""
    filters.remember({"text": LOOM, "answer": "Loom"})
    assert HERE in about(filters, LOOM)


def test_very_short_and_very_long_texts_are_compared_too() -> None:
    filters = QuestionFilters([{"text": "One", "answer": "Loom"}])
    assert HERE in about(filters, "one")
    assert about(filters, "word " * 2000) == ""


def test_collections_are_named_or_files(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"text": KILN, "page": "Kiln"}), "utf-8")
    shipped = read_questions(SHIPPED / "sample.jsonl")[0].text
    filters = QuestionFilters.with_collections(["sample", str(path)], [])
    assert KNOWN in about(filters, KILN)
    assert KNOWN in about(filters, shipped)
    with pytest.raises(
        InvalidInput, match=r"'nothing' is no file of questions, and no collection that ships \(sample\)"
    ):
        QuestionFilters.with_collections(["nothing"], [])
