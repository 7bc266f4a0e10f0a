"""Models measured as SQuAD v1.1 evaluates: exact match and word overlap, best of the gold answers, in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.evaluation import Scores


class SquadEvaluation:
    """Gold files are SQuAD v1.1 JSON; predictions are `{question id: text}`, as its official script reads them."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        passages = squad.load(gold)
        return [(one.id, Query(context=p.text, question=one.text)) for p in passages for one in p.questions]

    def answer(self, prediction: Prediction) -> str:
        return prediction.text

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        matches = {one.id: squad.scored(one, answers.get(one.id)) for one in _questions(gold, answers)}
        return {
            "EM": {name: match.exact for name, match in matches.items()},
            "F1": {name: match.f1 for name, match in matches.items()},
        }

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        found = squad.evaluate(_questions(gold, answers), answers)
        words = [f"exact match {found.exact_match:.2f}%, F1 {found.f1:.2f}% over {found.questions:,} questions"]
        if found.missing:
            words.append(f"{found.missing:,} questions have no prediction and count as wrong.")
        return Scores(asdict(found), words)


def _questions(gold: Path, answers: Mapping[str, Any]) -> list[squad.Question]:
    """Of the file, once every answer is a text."""
    for name, answer in answers.items():
        if not isinstance(answer, str):
            raise InvalidInput("PREDICTIONS", f"The answer to {name[:80]!r} is no text; {{id: text}} is needed.")
    return [question for passage in squad.load(gold) for question in passage.questions]
