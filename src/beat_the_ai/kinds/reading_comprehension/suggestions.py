"""Suggestions of a model to those who write questions: a question, with or without its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Span
from beat_the_ai.rules.protocol import Context, TaskItem, Value


class SuggestedQuestion(Value):
    """A question; without an answer the writer marks one."""

    question: str
    answer: Span | None = None


@dataclass(frozen=True)
class QuestionSuggestions:
    """Suggestions of questions under the rules of writing them."""

    suggestion_type: ClassVar[type[SuggestedQuestion]] = SuggestedQuestion

    writing: ReadingComprehension

    def check(self, suggestion: SuggestedQuestion, context: Context) -> SuggestedQuestion:
        question = self.writing.check_question(suggestion.question, context)
        if suggestion.answer is not None:
            self.writing.check_answer(suggestion.answer, context)
        return SuggestedQuestion(question=question, answer=suggestion.answer)

    def suits(self, suggestion: SuggestedQuestion, task_item: TaskItem) -> bool:
        """Return True: every HIT on a passage asks for the same."""
        return True
