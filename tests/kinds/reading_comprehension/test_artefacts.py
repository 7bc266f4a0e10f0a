"""Artefacts of questions about passages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beat_the_ai.kinds.reading_comprehension.artefacts import ANSWER, LIKE, PASSAGE, TYPE, QuestionArtefacts
from beat_the_ai.kinds.reading_comprehension.squad import normalise_any
from beat_the_ai.rules.artefacts import Choosing, Naming, Trace
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import Context

PASSAGE_TEXT = "Mr. Quist built the mill. Her son sold it in 1807. It burned."
QUESTION = "When was it that her son sold the mill?"


def trace(start: int | None = None, text: str = PASSAGE_TEXT, artefacts: QuestionArtefacts | None = None) -> Trace:
    artefacts = artefacts or QuestionArtefacts()
    answer = {"text": "1807", "start": text.index("1807") if start is None else start}
    work = {"question": QUESTION, "answer": answer}
    example = Example("a1", "test", Context("c1", text), work, None, "m", {}, True, 1, False, None)
    [found] = artefacts.traces([artefacts.work(example)])
    return found


def test_a_question_is_seen_without_its_passage_and_the_passage_without_its_question() -> None:
    found = trace()
    assert (found.part, found.label, found.context) == ("test", "date", PASSAGE_TEXT)
    assert found.place == pytest.approx(PASSAGE_TEXT.index("1807") / len(PASSAGE_TEXT))
    assert found.shared == pytest.approx(6 / 9)
    assert found.guesses[ANSWER.name] == Naming(found.words, "1807")
    assert found.guesses[TYPE.name] == Naming(found.words, "date")
    passage = found.guesses[PASSAGE.name]
    assert isinstance(passage, Choosing)
    assert passage.right == 1
    assert [option[-1] for option in passage.options] == ["sentence 1", "sentence 2", "last sentence"]
    assert passage.options[2] == ("it", "burned", "sentence 3", "last sentence")
    assert found.guesses[LIKE.name] == Choosing(((), ("most alike",), ()), 1)


@pytest.mark.parametrize(
    ("start", "text"),
    [(-1, PASSAGE_TEXT), (9999, PASSAGE_TEXT), (30, PASSAGE_TEXT), (None, "It was sold in 1807.")],
)
def test_an_answer_without_a_place_or_a_choice_of_sentences_is_no_guess_among_them(
    start: int | None, text: str
) -> None:
    found = trace(start, text)
    assert PASSAGE.name not in found.guesses
    assert LIKE.name not in found.guesses
    assert (found.place is None) == (start is not None)


def test_types_of_answers_are_english() -> None:
    other = QuestionArtefacts(normalise_any, english=False)
    assert TYPE not in other.baselines
    assert trace(artefacts=replace(other)).label == "any"
