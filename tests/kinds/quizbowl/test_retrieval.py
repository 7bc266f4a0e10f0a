"""What retrieval guesses and why, and how a model reads a question word by word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from beat_the_ai.kinds.quizbowl.guesses import Query
from beat_the_ai.kinds.quizbowl.reader import QuestionReader, Ranking, Reasons
from beat_the_ai.kinds.quizbowl.retrieval import Retrieval
from tests.kinds.quizbowl.questions import SOURCES

QUESTION = "Potters know its cones. A glaze of salt looks like an orange's peel there. Name it."


@pytest.fixture(scope="module")
def retrieval() -> Retrieval:
    return Retrieval.build(SOURCES)


def test_the_most_similar_page_comes_first(retrieval: Retrieval) -> None:
    assert [page for page, _ in retrieval.scores("salt glazes and shuttles of orange")] == ["Kiln", "Loom"]
    assert [page for page, _ in retrieval.scores("WEAVING")] == ["Loom"]


@pytest.mark.parametrize("text", ["", "zzz", "the of and", '"AND (OR', "page:Loom", "*", "~9 -"])
def test_nothing_known_is_no_guess(retrieval: Retrieval, text: str) -> None:
    assert retrieval.scores(text) == []


def test_evidence_is_the_sentence_that_shares_most_and_marks_what_is_shared(retrieval: Retrieval) -> None:
    first, second, third = retrieval.evidence(QUESTION, "Kiln")
    assert QUESTION[second.sentence.start : second.sentence.end].startswith("A glaze")
    assert second.text == "Salt thrown into it leaves a glaze like orange peel."
    assert (second.page, second.source) == ("Kiln", "wikipedia")
    assert [QUESTION[mark.start : mark.end] for mark in second.matches] == ["glaze", "salt", "like", "orange", "peel"]
    assert [second.text[mark.start : mark.end] for mark in second.highlights] == [
        *("Salt", "glaze", "like", "orange", "peel")
    ]
    assert "cones" in first.text
    assert "name" in third.text


def test_a_sentence_that_shares_nothing_has_no_evidence(retrieval: Retrieval) -> None:
    assert retrieval.evidence("Zebras graze. They sleep.", "Kiln") == []


def test_words_matter_by_what_they_share_and_how_rare_it_is(retrieval: Retrieval) -> None:
    evidence = retrieval.evidence(QUESTION, "Kiln")
    importance = retrieval.importance(QUESTION, evidence)
    by_word = dict(zip(QUESTION.split(), importance, strict=True))
    assert max(importance) == 1
    assert by_word["cones."] == by_word["salt"] > by_word["Name"] > by_word["looks"] == 0


def test_an_index_in_a_folder_answers_as_one_in_memory(retrieval: Retrieval, tmp_path: Path) -> None:
    Retrieval.build(SOURCES, tmp_path)
    opened = Retrieval.open(tmp_path)
    assert opened.scores(QUESTION) == retrieval.scores(QUESTION)
    assert opened.evidence(QUESTION, "Kiln") == retrieval.evidence(QUESTION, "Kiln")


class Scripted:
    """Guesses by the last word, and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def rankings(self, texts: Sequence[str]) -> list[Ranking]:
        self.asked += texts
        return [Ranking([], []) if text.endswith("?") else Ranking([text[-1], "z"], [0.75, 0.25]) for text in texts]

    def reasons(self, text: str, page: str) -> Reasons:
        return Reasons(saliency=[0.5] * len(text.split()))


def test_turns_are_where_the_best_guess_changes() -> None:
    [prediction] = QuestionReader(Scripted()).predict([Query(text="? a a b ? b a a", answer="a")])
    assert [(turn.word, turn.page) for turn in prediction.turns] == [(2, "a"), (4, "b"), (7, "a")]
    assert (prediction.right_from("a"), prediction.right_from("b"), prediction.rank) == (7, None, 1)
    assert [(guess.page, guess.confidence) for guess in prediction.guesses] == [("a", 0.75), ("z", 0.25)]


@pytest.mark.parametrize(("answer", "rank"), [("a", 1), ("z", 2), ("q", None)])
def test_the_answers_rank(answer: str, rank: int | None) -> None:
    [prediction] = QuestionReader(Scripted()).predict([Query(text="a", answer=answer)])
    assert prediction.rank == rank


@pytest.mark.parametrize("text", ["", " \n", "?"])
def test_nothing_is_said_of_a_question_that_says_nothing(text: str) -> None:
    [prediction] = QuestionReader(Scripted()).predict([Query(text=text, answer="a")])
    assert (prediction.guesses, prediction.rank, prediction.turns) == ([], None, [])


def test_a_beginning_that_was_read_before_is_not_read_again() -> None:
    guesser = Scripted()
    reader = QuestionReader(guesser)
    reader.predict([Query(text="x y", answer="a")])
    guesser.asked.clear()
    reader.predict([Query(text="x y z", answer="a")])
    assert guesser.asked == ["x y z", "x y z"]  # once for all guesses, once as a beginning
