"""The texts that reviewers read of a question and of the model's guesses."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.kinds.quizbowl.guesses import Prediction
from beat_the_ai.kinds.quizbowl.writing import Work
from beat_the_ai.rules.kind import Reading
from beat_the_ai.rules.protocol import Json


def _work(stored: Json) -> Mapping[str, str]:
    work = Work.model_validate(stored)
    return {"Question": work.text, "Answer": _named(work.answer)}


def _prediction(stored: Json) -> Mapping[str, str]:
    said = Prediction.model_validate(stored)
    course = ", ".join(f"{_named(turn.page)} from word {turn.word}" for turn in said.turns)
    guesses = ", ".join(f"{_named(guess.page)} {guess.confidence:.0%}" for guess in said.guesses)
    rank = "not known to the model" if said.rank is None else f"number {said.rank} of its guesses"
    return {"Model’s best guess": course or "none", "Guesses at the end": guesses or "none", "The answer is then": rank}


def _named(page: str) -> str:
    """With what stands in brackets: a reviewer has to know which one is meant."""
    return page.replace("_", " ")


READING = Reading(_work, _prediction)
