"""The hints to an author who types: the model's guesses, where they turn, and why ("Trick Me", §3.3 and 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from beat_the_ai.rules.protocol import Json, TaskItem
from beat_the_ai.rules.text import clean_line


@dataclass(frozen=True)
class GuessHints:
    """A draft is a question as far as it is written; it is kept as it was typed, for all places are places in it."""

    draft_type: ClassVar[type[Work]] = Work

    writing: QuestionWriting

    def check(self, draft: Work, task_item: TaskItem) -> Work:
        answer = self.writing.answer(draft.answer, task_item)
        clean_line("text", draft.text, max_chars=self.writing.max_chars, called="question")
        return Work(text=draft.text, answer=answer.page)

    def query(self, draft: Work, task_item: TaskItem) -> Query:
        return self.writing.query(draft, task_item)

    def shown(self, draft: Work, prediction: Prediction, _piece: TaskItem) -> Json:
        """With names in the place of pages, and all places in the draft as it was sent."""
        return {
            "words": len(words(draft.text)),
            "guesses": [
                {"name": page_title(guess.page), "confidence": guess.confidence, "right": guess.page == draft.answer}
                for guess in prediction.guesses
            ],
            "rank": prediction.rank,
            "first_right": prediction.first_right(draft.answer),
            "right_from": prediction.right_from(draft.answer),
            "turns": [
                {"word": turn.word, "name": page_title(turn.page), "right": turn.page == draft.answer}
                for turn in prediction.turns
            ],
            "evidence": [
                {**each.model_dump(exclude={"page"}), "name": page_title(each.page)} for each in prediction.evidence
            ],
            "saliency": prediction.saliency,
        }
