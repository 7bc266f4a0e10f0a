"""A quiz as it stands in its file: what newcomers do in the training and qualification HIT, and the keys that grade it.

As in Bartolo et al. 2020 (§3.3 and appendix B): questions for given answers, answers for given questions, a full pair,
then a sample "Beat the AI" HIT on a fixed passage. Whatever is private stands in `accepted`, `reference`, `questions`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from beat_the_ai.kinds.reading_comprehension.writing import Span, Work
from beat_the_ai.rules.protocol import Context, Value
from beat_the_ai.rules.quiz import Name, QuizFile, QuizText, Text


class Reference(Value):
    """A question and an answer that a good worker could have written. Never sent to a page."""

    question: Text
    answer: Text


class Example(Value):
    """An example of a good or a bad answer to a step, with the reason; shown with the step."""

    good: bool
    text: Text
    why: Text


class _Step(Value):
    """`hints[n]` is shown after the mistake number n + 1; the last one stays."""

    id: Name
    passage: Name
    hints: tuple[Text, ...] = ()


class QuestionStep(_Step):
    """Write a question that `answer` answers; `reference` is one."""

    kind: Literal["question"]
    answer: Text
    reference: Text


class AnswerStep(_Step):
    """Mark the answer to `question`: one of `accepted`, which are the key."""

    kind: Literal["answer"]
    question: Text
    accepted: tuple[Text, ...] = Field(min_length=1)


class PairStep(_Step):
    """Write a question and mark its answer."""

    kind: Literal["pair"]
    reference: Reference


Step = QuestionStep | AnswerStep | PairStep


class Sample(Value):
    """The sample HIT. At least `min_attempts` questions are asked; beating the model is not needed to pass."""

    passage: Name
    min_attempts: int = Field(default=3, ge=1)
    wins_wanted: int = 3
    max_wins: int = 5
    max_tries: int = 15
    questions: tuple[Reference, ...] = ()


class QuizContent(QuizFile):
    """A whole quiz. `min_answer_f1` is the word-overlap F1 with the key from which a marked answer counts as right;
    `example_passage` is what the examples are about.
    """

    min_answer_f1: float = Field(default=0.8, gt=0, le=1)
    passages: dict[Name, QuizText]
    example_passage: Text | None = None
    examples: dict[Literal["question", "answer", "pair"], tuple[Example, ...]] = Field(default={})
    steps: tuple[Annotated[Step, Field(discriminator="kind")], ...] = Field(min_length=1)
    sample: Sample

    def context(self, passage: str) -> Context:
        return Context(passage, self.passages[passage].text, self.passages[passage].title)

    def span(self, passage: str, text: str) -> Span:
        """The first place of a text in a passage."""
        return Span(text=text, start=self.passages[passage].text.index(text))

    def right_response(self, step: Step) -> dict[str, Any]:
        """Return what a page would send for a step if it knew the quiz's own question and answer."""
        if isinstance(step, QuestionStep):
            return {"question": step.reference}
        if isinstance(step, AnswerStep):
            return {"answer": self.span(step.passage, step.accepted[0]).model_dump()}
        return self.work(step.passage, step.reference).model_dump()

    def work(self, passage: str, reference: Reference) -> Work:
        return Work(question=reference.question, answer=self.span(passage, reference.answer))
