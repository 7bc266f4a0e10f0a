"""What counts as a mistake, and what breaks a rule of the task and uses up no try."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.screening import grading
from beat_the_ai.kinds.reading_comprehension.screening.grading import Grader
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from tests.kinds.reading_comprehension.screening.quizzes import GOOD, SHIPPED, WELL, content, load_quiz, small_quiz


@pytest.fixture
def grader(tmp_path: Path) -> Grader:
    return Grader(small_quiz(tmp_path), ReadingComprehension())


def grade(grader: Grader, step: int, payload: object, earlier: tuple[str, ...] = ()) -> str | None:
    return grader.grade(grader._quiz.steps[step], payload, earlier).mistake


def marked(text: str) -> dict[str, Any]:
    return {"answer": {"text": text, "start": WELL.index(text)}}


@pytest.mark.parametrize(
    ("question", "mistake"),
    [
        ("Who made the water reachable?", None),
        ("By whom was it made?", None),
        ("Who’s behind the well?", None),
        ("Who's behind the well?", None),
        ("Who made the water reachable", None),
        ("The water was reachable?", grading.NOT_A_QUESTION),
        ("Banana banana cat dog which?", grading.NOT_A_QUESTION),
        ("asdf qwer zxcv?", grading.NOT_A_QUESTION),
        ("Who?", grading.NOT_A_QUESTION),
        ("What did the nuns dig?", grading.CONTAINS_ANSWER),
        ("WHAT did the NUNS' dig?", grading.CONTAINS_ANSWER),
        ("The old well was dug by whom in 1340?", grading.COPIED),
        ("A donkey turned its wheel for six centuries, until what?", grading.COPIED),
        ("For how long did an animal work HERE?", grading.REPEATED),
        ("Who came earlier?", grading.REPEATED),
    ],
)
def test_a_question_for_a_given_answer(grader: Grader, question: str, mistake: str | None) -> None:
    assert grade(grader, 0, {"question": question}, ("who came earlier",)) == mistake


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("six centuries", None),
        ("for six centuries", None),
        ("six", grading.TOO_SHORT),
        ("its wheel for six centuries", grading.TOO_LONG),
        ("six centuries, until a storm", grading.TOO_LONG),
        ("A donkey", grading.ELSEWHERE),
    ],
)
def test_an_answer_to_a_given_question(grader: Grader, text: str, mistake: str | None) -> None:
    assert grade(grader, 1, marked(text)) == mistake


def test_scores_say_how_near_an_answer_came(grader: Grader) -> None:
    step = grader._quiz.steps[1]
    assert grader.grade(step, marked("six centuries")).scores == {"exact_match": True, "f1": 1.0}
    assert grader.grade(step, marked("six")).scores == {"exact_match": False, "f1": pytest.approx(2 / 3)}


def test_a_full_pair_is_a_question_and_its_answer(grader: Grader) -> None:
    assert grade(grader, 2, GOOD["p1"]) is None
    assert grade(grader, 2, {"question": "What roof was lost?", **marked("roof")}) == grading.CONTAINS_ANSWER


@pytest.mark.parametrize(
    ("step", "payload"),
    [
        (0, {"question": "  "}),
        (0, {"question": 7}),
        (0, {}),
        (0, None),
        (0, {"question": "Who?", "right": True}),
        (0, {"question": "Who <b>dug</b> it?"}),
        (0, {"question": "Who\u202e dug it?"}),
        (0, {"question": "x" * 1_000_000}),
        (1, {"answer": {"text": "six centuries", "start": 0}}),
        (1, {"answer": {"text": "six centuries", "start": -1}}),
        (1, {"answer": {"text": "", "start": 0}}),
        (1, {"answer": None}),
        (1, {"answer": {"text": WELL * 50, "start": 0}}),
        (2, {"question": "What was lost in it?"}),
    ],
)
def test_what_breaks_a_rule_uses_up_no_try(grader: Grader, step: int, payload: object) -> None:
    with pytest.raises(InvalidInput):
        grade(grader, step, payload)


def test_every_reference_of_the_shipped_quiz_is_right() -> None:
    quiz = load_quiz(SHIPPED)
    shipped = Grader(quiz, ReadingComprehension())
    assert [shipped.grade(step, quiz.right_response(step)).mistake for step in quiz.steps] == [None] * 5


def test_a_quiz_on_a_passage_in_another_language_takes_questions_in_it(tmp_path: Path) -> None:
    passages = content()["passages"] | {"well": {"title": "Der Brunnen", "text": "Den Brunnen gruben Nonnen."}}
    step = {"id": "q1", "kind": "question", "passage": "well", "answer": "Nonnen", "reference": "Wer grub das Loch?"}
    german = small_quiz(tmp_path, passages=passages, steps=[step])
    assert grade(Grader(german, ReadingComprehension()), 0, {"question": "Wer hob es aus?"}) is None
