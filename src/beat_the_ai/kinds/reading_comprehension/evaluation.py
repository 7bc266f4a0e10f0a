"""Models measured as SQuAD v1.1 evaluates: exact match and word overlap, best of the gold answers, in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import said
from beat_the_ai.files.values import shown
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.answerability import Vote
from beat_the_ai.kinds.reading_comprehension.passages import Passage, Question
from beat_the_ai.kinds.reading_comprehension.question_files import read_answerable
from beat_the_ai.kinds.reading_comprehension.report.groups import question_groups
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.evaluation import NO_REFERENCES, Measure, Measured, MeasuredItem
from beat_the_ai.rules.joining import join

FIELDS = ("text", "answer", "answer_text", "answers")
MEASURES = (
    Measure("exact_match", "exact match", column="EM", is_right=True),
    Measure("f1", "F1", column="F1"),
    Measure("exact_match_first", "exact match, first answer alone", is_right=True, by_group=False, compared=False),
    Measure("f1_first", "F1, first answer alone", by_group=False, compared=False),
)


@dataclass(frozen=True)
class SquadEvaluation:
    """Gold files are as `squad.load` reads them; predictions are `{question id: text}`, as SQuAD has them."""

    normal: squad.Normal = squad.normalise
    english: bool = True

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        passages = read_answerable(gold).passages
        return [(one.id, Query(context=p.text, question=one.text)) for p in passages for one in p.questions]

    def answer(self, prediction: Prediction) -> str:
        return prediction.text

    def reference(self, vote: Any) -> str | None:
        """Return a validator's answer; none says that the question cannot be answered. Raises `ValueError`."""
        answer = Vote.model_validate(vote).answer
        return None if answer is None else answer.text

    def measured(
        self, gold: Path, answers: Mapping[str, Any], references: Mapping[str, Sequence[str]] = NO_REFERENCES
    ) -> Measured:
        """Groups are the marks of the file and, of English questions, those of the report's rules.

        Where a question has several gold answers, there are also the figures of its first one alone.
        """
        read = read_answerable(gold)
        joined = join(gold, _named(read.passages), answers, _text, "questions", read.left_out)
        items = [
            self._item(name, passage, question, references.get(name, ()), answer)
            for name, (passage, question), answer in joined.of
        ]
        notes = [*read.notes, *joined.words]
        measures = MEASURES if any(len(set(item.gold)) > 1 for item in items) else MEASURES[:2]
        counts = {"without_answer": read.unanswerable}
        return Measured(items, measures, "questions", "passages", joined.missing, joined.foreign, notes, counts)

    def _item(
        self, name: str, passage: Passage, question: Question, references: Sequence[str], answer: str | None
    ) -> MeasuredItem:
        golds = [gold.text for gold in question.answers] + list(references)
        first = squad.best_match(golds[:1], answer, self.normal)
        best = squad.best_match(golds, answer, self.normal) if len(golds) > 1 else first
        marks = dict(zip((measure.name for measure in MEASURES), (*best, *first), strict=True))
        by_rules = question_groups(question.text, golds[0]) if self.english else {}
        return MeasuredItem(name, passage.id, golds, answer, marks, {**question.marks, **by_rules})


def _named(passages: Sequence[Passage]) -> list[tuple[str, tuple[Passage, Question]]]:
    return [(question.id, (passage, question)) for passage in passages for question in passage.questions]


def _text(name: str, answer: Any) -> str | None:
    """Return an answer that is a text, the only one of a list, or None. Raises `InvalidInput` for any other shape."""
    try:
        found = said(answer, FIELDS)
    except ValueError as error:
        raise InvalidInput("PREDICTIONS", f"The answer to {name[:80]!r} is {error}.") from None
    if isinstance(found, list) and len(found) <= 1:
        return _text(name, found[0]) if found else None
    if isinstance(found, int) and not isinstance(found, bool):  # as pandas writes a column of whole numbers
        return str(found)
    if found is not None and not isinstance(found, str):
        raise InvalidInput(
            "PREDICTIONS", f"The answer to {name[:80]!r} is no text but {shown(found)}; {{id: text}} is needed."
        )
    return found
