"""Suggestions of a model to authors: a question, or its beginning, on an answer of the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.answers import name_within
from beat_the_ai.kinds.quizbowl.saying import said
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.rules.text import clean_line


@dataclass(frozen=True)
class ClueSuggestions:
    """Suggestions under the rules of writing, but for the length: a clue is a suggestion, too."""

    suggestion_type: ClassVar[type[Work]] = Work

    writing: QuestionWriting

    def check(self, suggestion: Work, context: Context) -> Work:
        answer = self.writing.answer(suggestion.answer, TaskItem(context))
        text = clean_line("text", suggestion.text, max_chars=self.writing.max_chars, called="question")
        if (name := name_within(answer, text)) is not None:
            raise InvalidInput("text", said("quizbowl_refusals.names_answer", name=name))
        return Work(text=text, answer=answer.page)

    def suits(self, suggestion: Work, task_item: TaskItem) -> bool:
        """Return True: an author chooses any answer of the category."""
        return True
