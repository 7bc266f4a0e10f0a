"""How simulated people answer forms: as somebody would who reads the questions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beat_the_ai.simulation.forms import simulated_answers


def asked(**question: Any) -> Any:
    given = {"id": "check", "shown_when": {}, **question}
    return simulated_answers(json.loads(json.dumps({"questions": [given]})))["check"]


OFTEN = ["Never", "Often", "Very often"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("How often do you read?", "Often"),
        ("Please choose “Very often” here.", "Very often"),
        ("Please choose OFTEN here.", "Often"),
        ("Do you read? Nevertheless, please answer.", "Never"),
        ("Do you soften butter?", "Never"),
    ],
)
def test_the_option_that_a_question_names_is_chosen_or_else_the_first(text: str, answer: str) -> None:
    assert asked(type="choice", text=text, options=OFTEN, several=False) == answer
    assert asked(type="choice", text=text, options=OFTEN, several=True) == [answer]


@pytest.mark.parametrize(("text", "answer"), [("Choose 4 to show that you read this.", 4), ("How was it, in 2024?", 1)])
def test_the_number_that_a_scale_names_is_chosen_or_else_the_lowest(text: str, answer: int) -> None:
    assert asked(type="scale", text=text, lowest=1, highest=5) == answer


def test_a_question_is_answered_where_one_of_several_chosen_options_asks_for_it() -> None:
    topics = {"id": "topics", "type": "choice", "text": "Choose art.", "options": ["art", "sport"], "several": True}
    why = {"id": "why", "type": "text", "text": "Why?"}
    for wanted, answered in (("art", ["topics", "why"]), ("sport", ["topics"])):
        questions = [{**topics, "shown_when": {}}, {**why, "shown_when": {"topics": [wanted]}}]
        assert list(simulated_answers({"questions": questions})) == answered


@pytest.mark.parametrize(
    ("at_least", "at_most", "decimals", "answer"),
    [(None, None, False, 1), (2.5, None, False, 3), (2.5, None, True, 2.5), (0, 1.5, False, 1), (0, 1.5, True, 1.5)],
)
def test_a_number_is_one_that_is_allowed(
    at_least: float | None, at_most: float | None, decimals: bool, answer: float
) -> None:
    assert asked(type="number", text="How many?", at_least=at_least, at_most=at_most, decimals=decimals) == answer


def test_a_question_that_depends_on_one_that_was_not_shown_is_not_answered() -> None:
    """An option may be called None."""
    pet = {"id": "pet", "type": "choice", "text": "Pet?", "options": ["None", "Cat"], "several": False}
    questions = [
        {"id": "first", "type": "choice", "text": "Has pets?", "options": ["No", "Yes"], "several": False}
        | {"shown_when": {}},
        pet | {"shown_when": {"first": ["Yes"]}},
        {"id": "why", "type": "text", "text": "Why?", "shown_when": {"pet": ["None"]}},
    ]
    assert simulated_answers({"questions": questions}) == {"first": "No"}
