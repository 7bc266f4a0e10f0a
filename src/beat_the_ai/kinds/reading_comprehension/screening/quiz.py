"""A quiz that grades, and what a page may know of it: the step at hand and nothing of its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from beat_the_ai.kinds.reading_comprehension.saying import said
from beat_the_ai.kinds.reading_comprehension.screening.content import AnswerStep, QuestionStep, QuizContent, Step
from beat_the_ai.kinds.reading_comprehension.screening.grading import Grader
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query, ReadingComprehension, Work, word_overlap
from beat_the_ai.messages import told
from beat_the_ai.rules.protocol import Json, TaskItem
from beat_the_ai.rules.quiz import hint, shown
from beat_the_ai.rules.screening import Grade, SampleHit

PAGE = "qualification"


@dataclass(frozen=True)
class ReadingQuiz:
    """The content of a quiz, graded by the rules of a round's questions."""

    content: QuizContent
    writing: ReadingComprehension

    @property
    def digest(self) -> str:
        return self.content.digest

    @property
    def tries_per_step(self) -> int:
        return self.content.tries_per_step

    @property
    def steps(self) -> Sequence[Step]:
        return self.content.steps

    @property
    def sample(self) -> SampleHit:
        of = self.content.sample
        return SampleHit(self.content.context(of.passage), of.min_attempts, of.wins_wanted, of.max_wins, of.max_tries)

    @property
    def page_config(self) -> Json:
        writing = self.writing
        return {
            "page": PAGE,
            "f1_threshold": writing.f1_threshold,
            "max_question_chars": writing.max_question_chars,
            "max_answer_words": writing.max_answer_words,
        }

    def shown(self, step: str) -> Json:
        of = self._step(step)
        content = self.content
        return {
            "passage": shown(content.context(of.passage)),
            "question": of.question if isinstance(of, AnswerStep) else None,
            "answer": content.span(of.passage, of.answer).model_dump() if isinstance(of, QuestionStep) else None,
            "example_passage": content.example_passage,
            "examples": [example.model_dump() for example in content.examples.get(of.kind, ())],
        }

    def grade(self, step: str, payload: object, earlier: Sequence[Json]) -> Grade:
        return self._grader.grade(self._step(step), payload, [work["question"] for work in earlier])

    def explanation(self, step: str, mistake: str, number: int) -> Json:
        """With the step's own hint: the last one stays."""
        return {**told(said(f"reading_refusals.quiz.{mistake}")), "hint": hint(self._step(step).hints, number)}

    def query(self, step: str, work: Work) -> Query | None:
        """Questions that newcomers wrote.

        In the paper people alone judge these (§3.3). A model that agrees speaks for a question; one that does not says
        nothing, since to mislead it is what good writers are wanted for.
        """
        of = self._step(step)
        return (
            None if isinstance(of, AnswerStep) else self.writing.query(work, TaskItem(self.content.context(of.passage)))
        )

    def evidence(self, work: Work, prediction: Prediction) -> Json:
        return {"model_answer": prediction.text, "f1": word_overlap(prediction, work.answer, self.writing.normal)}

    def disclosure(self, evidence: Json) -> Json:
        return {"model_answer": evidence.get("model_answer")}

    @cached_property
    def _grader(self) -> Grader:
        return Grader(self.content, self.writing)

    @cached_property
    def _by_id(self) -> dict[str, Any]:
        return {step.id: step for step in self.content.steps}

    def _step(self, step: str) -> Step:
        found: Step = self._by_id[step]
        return found
