"""What reviewers read of works and predictions of kinds whose fields are not for people."""

from __future__ import annotations

from typing import Any

from beat_the_ai.kinds.nli import reading as nli
from beat_the_ai.kinds.quizbowl import reading as quizbowl
from beat_the_ai.review import views
from beat_the_ai.rules.registry import bind
from tests.store.builders import attempt


def test_a_hypothesis_and_the_models_labels_by_how_sure_it_is() -> None:
    probabilities = {"entailment": 0.25, "neutral": 0.131, "contradiction": 0.619}
    assert nli.READING.work({"hypothesis": "It rained.", "target": "neutral"}) == {
        "Hypothesis": "It rained.",
        "Asked for": "neutral",
    }
    assert nli.READING.work({"hypothesis": "It rained."}) == {"Hypothesis": "It rained."}
    assert nli.READING.prediction({"label": "contradiction", "probabilities": probabilities}) == {
        "Model": "contradiction 62%, entailment 25%, neutral 13%"
    }


def prediction(**fields: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "guesses": [],
        "rank": None,
        "turns": [],
        "confidences": [],
        "evidence": [],
        "saliency": [],
    }
    return empty | fields


def test_a_question_and_when_the_model_guessed_what() -> None:
    assert quizbowl.READING.work({"text": "Name this film.", "answer": "Casablanca_(film)"}) == {
        "Question": "Name this film.",
        "Answer": "Casablanca (film)",
    }
    guesses = [{"page": "Tennis", "confidence": 0.25}, {"page": "Citizen_Kane", "confidence": 0.1}]
    turns = [{"word": 5, "page": "Citizen_Kane", "confidence": 0.1}, {"word": 20, "page": "Tennis", "confidence": 0.25}]
    assert quizbowl.READING.prediction(prediction(guesses=guesses, turns=turns, rank=2)) == {
        "Model’s best guess": "Citizen Kane from word 5, Tennis from word 20",
        "Guesses at the end": "Tennis 25%, Citizen Kane 10%",
        "The answer is then": "number 2 of its guesses",
    }
    assert quizbowl.READING.prediction(prediction()) == {
        "Model’s best guess": "none",
        "Guesses at the end": "none",
        "The answer is then": "not known to the model",
    }


def test_the_review_page_is_sent_what_is_read_where_the_kind_says_so() -> None:
    one = attempt(
        "a",
        1,
        work={"hypothesis": "It rained."},
        prediction={"label": "neutral", "probabilities": {"entailment": 0.2, "neutral": 0.5, "contradiction": 0.3}},
    )
    [told] = views.attempts([one], {}, [], {}, bind("nli").reading)
    assert told.sent()["reading"] == {
        "work": {"Hypothesis": "It rained."},
        "prediction": {"Model": "neutral 50%, contradiction 30%, entailment 20%"},
    }
    other = attempt("a", 2, work={"hypothesis": "It rained."}, prediction={"said": "of an older version"})
    [told] = views.attempts([other], {}, [], {}, bind("nli").reading)
    assert told.sent()["reading"] == {
        "work": {"Hypothesis": "It rained."},
        "prediction": {"said": "of an older version"},
    }
    [told] = views.attempts([one], {}, [], {}, bind("reading_comprehension").reading)
    assert told.reading is None
