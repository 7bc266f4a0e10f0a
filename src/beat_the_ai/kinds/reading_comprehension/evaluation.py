"""Models measured as SQuAD v1.1 evaluates: exact match and word overlap, best of the gold answers, in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import said
from beat_the_ai.files.values import shown
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.passages import Question
from beat_the_ai.kinds.reading_comprehension.question_files import Answerable, read_answerable
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.evaluation import Scores
from beat_the_ai.rules.joining import Joined, join

FIELDS = ("text", "answer", "answer_text", "answers")


@dataclass(frozen=True)
class SquadEvaluation:
    """Gold files are as `squad.load` reads them; predictions are `{question id: text}`, as SQuAD has them."""

    normal: squad.Normal = squad.normalise

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        passages = read_answerable(gold).passages
        return [(one.id, Query(context=p.text, question=one.text)) for p in passages for one in p.questions]

    def answer(self, prediction: Prediction) -> str:
        return prediction.text

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        _, joined = _joined(gold, answers)
        matches = {name: squad.scored(question, answer, self.normal) for name, question, answer in joined.of}
        return {
            "EM": {name: match.exact for name, match in matches.items()},
            "F1": {name: match.f1 for name, match in matches.items()},
        }

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        measured, joined = _joined(gold, answers)
        predictions = {name: answer for name, _, answer in joined.of if answer is not None}
        found = squad.evaluate(measured.questions, predictions, self.normal)
        words = [f"exact match {found.exact_match:.2f}%, F1 {found.f1:.2f}% over {found.questions:,} questions"]
        if measured.unanswerable:
            words.append(f"{measured.unanswerable:,} questions without an answer are left out.")
        return Scores({**asdict(found), "foreign": joined.foreign}, [*words, *joined.words])


def _joined(gold: Path, answers: Mapping[str, Any]) -> tuple[Answerable, Joined[Question, str]]:
    measured = read_answerable(gold)
    named = [(question.id, question) for question in measured.questions]
    return measured, join(gold, named, answers, _text, "questions", measured.left_out)


def _text(name: str, answer: Any) -> str | None:
    """Return an answer that is a text, the only one of a list, or None. Raises `InvalidInput` for any other shape."""
    try:
        found = said(answer, FIELDS)
    except ValueError as error:
        raise InvalidInput("PREDICTIONS", f"The answer to {name[:80]!r} is {error}.") from None
    if isinstance(found, list) and len(found) <= 1:
        return _text(name, found[0]) if found else None
    if found is not None and not isinstance(found, str):
        raise InvalidInput(
            "PREDICTIONS", f"The answer to {name[:80]!r} is no text but {shown(found)}; {{id: text}} is needed."
        )
    return found
