"""Models measured as SQuAD v1.1 evaluates: exact match and word overlap, best of the gold answers, in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.question_files import Answerable, read_answerable
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.evaluation import Scores


class SquadEvaluation:
    """Gold files are as `squad.load` reads them; predictions are `{question id: text}`, as SQuAD has them."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        passages = read_answerable(gold).passages
        return [(one.id, Query(context=p.text, question=one.text)) for p in passages for one in p.questions]

    def answer(self, prediction: Prediction) -> str:
        return prediction.text

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        matches = {one.id: squad.scored(one, answers.get(one.id)) for one in _measured(gold, answers).questions}
        return {
            "EM": {name: match.exact for name, match in matches.items()},
            "F1": {name: match.f1 for name, match in matches.items()},
        }

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        measured = _measured(gold, answers)
        found = squad.evaluate(measured.questions, answers)
        words = [f"exact match {found.exact_match:.2f}%, F1 {found.f1:.2f}% over {found.questions:,} questions"]
        if measured.unanswerable:
            words.append(f"{measured.unanswerable:,} questions without an answer are left out.")
        if found.missing:
            words.append(f"{found.missing:,} questions have no prediction and count as wrong.")
        return Scores(asdict(found), words)


def _measured(gold: Path, answers: Mapping[str, Any]) -> Answerable:
    """The file, once every answer is a text."""
    for name, answer in answers.items():
        if not isinstance(answer, str):
            raise InvalidInput("PREDICTIONS", f"The answer to {name[:80]!r} is no text; {{id: text}} is needed.")
    return read_answerable(gold)
