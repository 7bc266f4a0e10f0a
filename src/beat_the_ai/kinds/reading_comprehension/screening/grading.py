"""Grading one response to a step of a quiz: right, or which mistake it makes.

What breaks the rules of the task itself (an empty question, a span that is not in the passage) raises `InvalidInput`
and uses up no try. A mistake is what a worker learns from: it uses up a try, and the page explains it.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.screening.content import AnswerStep, QuestionStep, QuizContent, Step
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Span, Work
from beat_the_ai.rules.protocol import Context, Value, read_value
from beat_the_ai.rules.screening import Grade

# In SQuAD passage and question share 3 words in a row on average, in adversarial data 2 (§3.4, Table 4).
COPIED_WORDS = 4
COPIED_SHARE = 0.6

NOT_A_QUESTION = "not_a_question"
COPIED = "copied"
CONTAINS_ANSWER = "contains_answer"
REPEATED = "repeated"
TOO_LONG = "too_long"
TOO_SHORT = "too_short"
ELSEWHERE = "elsewhere"


class WrittenQuestion(Value):
    question: str


class MarkedAnswer(Value):
    answer: Span


class Grader:
    """Grades responses to the steps of one quiz, by keys that stay here."""

    def __init__(self, quiz: QuizContent, writing: ReadingComprehension) -> None:
        self._quiz = quiz
        self._writing = writing

    def grade(self, step: Step, payload: object, earlier: Iterable[str] = ()) -> Grade:
        """`earlier` holds the questions that the worker wrote before. Raises `InvalidInput`: no try is used."""
        context = self._quiz.context(step.passage)
        work = self._writing.clean(self._read(step, payload), context)
        if isinstance(step, AnswerStep):
            return self._grade_answer(step, work)
        given = [other.question for other in self._quiz.steps if isinstance(other, AnswerStep)]
        return Grade(work, self._question_mistake(work, context, [*given, *earlier]))

    def _read(self, step: Step, payload: object) -> Work:
        if isinstance(step, QuestionStep):
            question = read_value(WrittenQuestion, payload).question
            return Work(question=question, answer=self._quiz.span(step.passage, step.answer))
        if isinstance(step, AnswerStep):
            return Work(question=step.question, answer=read_value(MarkedAnswer, payload).answer)
        return read_value(Work, payload)

    def _question_mistake(self, work: Work, passage: Context, known: Iterable[str]) -> str | None:
        words, answer = self._words(work.question), self._words(work.answer.text)
        if self._writing.flaw(work, passage) is not None:
            return NOT_A_QUESTION
        if _longest_run(answer, words) == len(answer):
            return CONTAINS_ANSWER
        if words in [self._words(question) for question in known]:
            return REPEATED
        run = _longest_run(self._words(passage.text), words)
        return COPIED if run >= COPIED_WORDS and run > COPIED_SHARE * len(words) else None

    def _words(self, text: str) -> list[str]:
        return self._writing.normal(text).split()

    def _grade_answer(self, step: AnswerStep, work: Work) -> Grade:
        """Exact match or word-overlap F1 with the key, as SQuAD's evaluation has them."""
        marked = work.answer.text
        normal = self._writing.normal
        nearest = max(step.accepted, key=lambda accepted: squad.f1(marked, accepted, normal))
        exact, f1 = squad.exact_match(marked, nearest, normal), squad.f1(marked, nearest, normal)
        scores = {"exact_match": exact, "f1": f1}
        if exact or f1 >= self._quiz.min_answer_f1:
            return Grade(work, None, scores)
        if f1 == 0:
            return Grade(work, ELSEWHERE, scores)
        longer = len(self._words(marked)) > len(self._words(nearest))
        return Grade(work, TOO_LONG if longer else TOO_SHORT, scores)


def _longest_run(text: list[str], words: list[str]) -> int:
    """The number of words of the longest run that both have."""
    return SequenceMatcher(None, text, words, autojunk=False).find_longest_match().size
