"""Quizzes as data: what is wrong with one is said, with its place; the shipped one is fit for use."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from tests.kinds.reading_comprehension.screening.quizzes import SHIPPED, content, load_quiz, small_quiz, written


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    """The small quiz with one place of it changed."""
    quiz = copy.deepcopy(content())
    place: Any = quiz
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return quiz


def problem(folder: Path, quiz: dict[str, Any]) -> str:
    with pytest.raises(InvalidInput) as caught:
        load_quiz(written(folder / "quiz.yaml", quiz))
    assert "quiz.yaml" in str(caught.value)
    return str(caught.value)


def test_the_shipped_quiz_has_the_papers_parts() -> None:
    quiz = load_quiz(SHIPPED)
    assert [step.kind for step in quiz.steps] == ["question", "question", "answer", "answer", "pair"]
    assert all(step.hints for step in quiz.steps)
    assert set(quiz.examples) == {"question", "answer", "pair"}
    assert len(quiz.sample.questions) >= quiz.sample.min_attempts


def test_a_quiz_may_be_json_too(tmp_path: Path) -> None:
    path = tmp_path / "quiz.json"
    path.write_text(json.dumps(content()))
    assert load_quiz(path) == small_quiz(tmp_path)


def test_the_digest_tells_quizzes_apart(tmp_path: Path) -> None:
    quiz = small_quiz(tmp_path)
    assert quiz.digest == small_quiz(tmp_path).digest != small_quiz(tmp_path, tries_per_step=2).digest


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (["steps", 0, "kind"], "essay", "steps.0: Input tag 'essay'"),
        (["steps", 0, "answer"], 1340, "steps.0.question.answer: Input should be a valid string"),
        (["steps", 0, "answer"], "monks", "steps.0: the passage 'well' does not have the words 'monks'"),
        (["steps", 0, "answer"], "o", "'o' stands in the passage more than once"),
        (
            ["steps", 0, "reference"],
            "Who were the nuns?",
            "its own reference would count as a mistake (contains_answer)",
        ),
        (["steps", 0, "reference"], "The water was reachable", "count as a mistake (not_a_question)"),
        (["steps", 1, "accepted"], [], "steps.1.answer.accepted: Tuple should have at least 1 item"),
        (["steps", 1, "accepted"], ["seven centuries"], "does not have the words 'seven centuries'"),
        (["steps", 1, "hints"], ["Almost six centuries."], "gives the answer 'six centuries' away"),
        (["steps", 1, "question"], "What took six centuries?", "gives the answer 'six centuries' away"),
        (["steps", 1, "id"], "q1", "the id 'q1' is used 2 times"),
        (["steps", 2, "passage"], "mill", "there is no passage 'mill'. The quiz has: rome, well"),
        (["steps"], [], "at steps"),
        (["passages", "well", "text"], "\0", "NUL"),
        (["sample", "min_attempts"], 9, "min_attempts=9 is above max_tries=4"),
        (["sample", "wins_wanted"], 9, "wins_wanted=9"),
        (["sample", "questions", 0, "answer"], "1066", "sample.questions.0: the passage 'rome' does not have"),
        (["sample", "questions", 0, "question"], "<b>", "sample.questions.0: The question has no words|markup"),
        (["tries"], 3, "at tries: Extra inputs are not permitted"),
        (["min_answer_f1"], 2, "at min_answer_f1"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, path: list[Any], value: Any, expected: str) -> None:
    said = problem(tmp_path, changed(path, value))
    assert any(part in said for part in expected.split("|")), said


@pytest.mark.parametrize("text", ["steps: [", "just a text", "- a\n- list", "when: 2020-01-01", "\0"])
def test_a_file_that_is_no_quiz_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "quiz.yaml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=r"quiz\.yaml"):
        load_quiz(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nothing\.yaml cannot be read"):
        load_quiz(tmp_path / "nothing.yaml")
