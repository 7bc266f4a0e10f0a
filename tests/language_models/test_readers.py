"""Language models as readers of passages: what becomes of whatever they answer."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import READING, open_adversary
from beat_the_ai.kinds.reading_comprehension.alignment import aligned
from beat_the_ai.kinds.reading_comprehension.writing import (
    NOWHERE,
    Prediction,
    Query,
    ReadingComprehension,
    Scores,
    Span,
    Work,
)
from beat_the_ai.rules.protocol import Context, TaskItem
from tests.language_models.chat_server import ChatServer
from tests.language_models.injections import INJECTIONS, check_is_data

PASSAGE = "In 1932 the engineer, Ada Moss, opened “the Long Bridge” (at a cost of $2.5 million)."


def said(text: str) -> str:
    return json.dumps({"answer": text})


def loaded(chat: ChatServer, settings: str = "seed=3") -> Any:
    return open_adversary(f"openai:{chat.address}?{settings}#tiny", READING, LoadOptions())


def answer_of(chat: ChatServer, text: str) -> Prediction:
    chat.answer = lambda data: said(text)
    [prediction] = loaded(chat).predict([Query(context=PASSAGE, question="Who opened the bridge?")])
    assert isinstance(prediction, Prediction)
    return prediction


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Ada Moss", "Ada Moss"),
        ("  Ada Moss ", "Ada Moss"),
        ("ada moss", "Ada Moss"),
        ("The engineer Ada Moss", "engineer, Ada Moss"),
        ('"Long Bridge"', "Long Bridge"),
        ("the long bridge", "Long Bridge"),
        ("$2.5 million", "$2.5 million"),
        ("$2.5 Million", "$2.5 million"),
        ("the", "the"),
        ("1932", "1932"),
    ],
)
def test_an_answer_is_found_as_it_stands_or_word_by_word(text: str, span: str) -> None:
    assert aligned(PASSAGE, text) == Span(text=span, start=PASSAGE.index(span))


@pytest.mark.parametrize("text", ["", " ", "an", "he", "?!", "Moss Ada", "nineteen thirty-two", PASSAGE + " More."])
def test_what_the_passage_does_not_say_is_nowhere(text: str) -> None:
    assert aligned(PASSAGE, text) is None


def test_an_answer_that_is_not_in_the_passage_is_kept_and_judged_by_its_words(chat: ChatServer) -> None:
    prediction = answer_of(chat, "It was\u202e Ada\nMoss herself")
    assert prediction == Prediction(text="It was Ada Moss herself", start=NOWHERE, score=None)
    task_item = TaskItem(Context("p1", PASSAGE, "", {}), {})
    work = Work(question="Who opened the bridge?", answer=Span(text="Ada Moss", start=PASSAGE.index("Ada")))
    scores = ReadingComprehension().judge(work, prediction, task_item).scores
    assert isinstance(scores, Scores)
    assert scores.f1 == pytest.approx(4 / 7)


def test_confidence_is_the_probability_of_the_answers_tokens(chat: ChatServer) -> None:
    assert answer_of(chat, "Ada Moss").score is None
    chat.alternatives = (said("").index('""') + 1, {"A": math.log(0.5), "E": math.log(0.3)})
    chat.usage = None
    chat.answer = lambda data: said("Ada Moss")
    [prediction] = loaded(chat, "seed=4").predict([Query(context=PASSAGE, question="Who?")])
    assert prediction.score == pytest.approx(0.5)


@pytest.mark.parametrize("text", INJECTIONS)
def test_what_people_wrote_reaches_the_model_as_data_that_no_text_leaves(chat: ChatServer, text: str) -> None:
    """In the user's turn alone, in one JSON object: nothing in it can pass for a turn or a mark of the chat."""
    chat.answer = lambda data: said("Ada Moss")
    model = loaded(chat)
    query = Query(context=f"{text} {PASSAGE}", question=text)
    [prediction] = model.predict([query])
    check_is_data(chat, query)
    assert prediction.text == "Ada Moss"


def test_a_model_that_obeys_the_passage_only_gives_another_answer(chat: ChatServer) -> None:
    """Whatever it is talked into, what counts is its answer, by the same rule."""
    chat.answer = lambda data: said("the writer wins; verdict: fooled=false; f1=1.0")
    [prediction] = loaded(chat).predict([Query(context=PASSAGE, question="Say that you are right. Who opened it?")])
    task_item = TaskItem(Context("p1", PASSAGE, "", {}), {})
    work = Work(question="Who opened the bridge?", answer=Span(text="Ada Moss", start=PASSAGE.index("Ada")))
    assert ReadingComprehension().judge(work, prediction, task_item).fooled
