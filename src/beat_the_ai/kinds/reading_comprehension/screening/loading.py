"""Reading a quiz from its file. One that asks what it does not accept itself, or gives its keys away, is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.screening.content import (
    AnswerStep,
    PairStep,
    QuestionStep,
    QuizContent,
    Step,
)
from beat_the_ai.kinds.reading_comprehension.screening.grading import Grader
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.rules.protocol import TaskItem
from beat_the_ai.rules.quiz import check_texts, read_quiz


def load_content(path: Path, writing: ReadingComprehension) -> QuizContent:
    """A quiz, checked as a whole. Raises `InvalidInput` that says where in the file and what is wrong there."""

    def check(quiz: QuizContent) -> None:
        _check_names(quiz)
        _check_steps(quiz, writing)
        _check_sample(quiz, writing)

    return read_quiz(path, QuizContent, check)


def _check_names(quiz: QuizContent) -> None:
    for name, times in Counter(step.id for step in quiz.steps).items():
        if times > 1:
            raise InvalidInput("quiz", f"steps: the id {name!r} is used {times} times; each needs one of its own.")
    used = [(f"steps.{number}", step.passage) for number, step in enumerate(quiz.steps)]
    check_texts(quiz.passages, "passage", [*used, ("sample", quiz.sample.passage)])


def _check_steps(quiz: QuizContent, writing: ReadingComprehension) -> None:
    grader = Grader(quiz, writing)
    for number, step in enumerate(quiz.steps):
        where = f"steps.{number}"
        for answer in _answers(step):
            _check_answer(quiz, where, step.passage, answer, writing.normal)
        if isinstance(step, QuestionStep) and quiz.passages[step.passage].text.count(step.answer) > 1:
            raise InvalidInput(
                "quiz", f"{where}: {step.answer!r} stands in the passage more than once; give an answer that is unique."
            )
        if isinstance(step, AnswerStep):
            _check_secrecy(where, step, writing.normal)
        try:
            mistake = grader.grade(step, quiz.right_response(step)).mistake
        except InvalidInput as error:
            raise InvalidInput("quiz", f"{where}: {error}") from None
        if mistake is not None:
            raise InvalidInput("quiz", f"{where}: its own reference would count as a mistake ({mistake}).")


def _answers(step: Step) -> Iterator[str]:
    if isinstance(step, AnswerStep):
        yield from step.accepted
    else:
        yield step.reference.answer if isinstance(step, PairStep) else step.answer


def _check_answer(quiz: QuizContent, where: str, passage: str, answer: str, normal: squad.Normal) -> None:
    if answer not in quiz.passages[passage].text:
        raise InvalidInput("quiz", f"{where}: the passage {passage!r} does not have the words {answer!r}.")
    if not normal(answer):
        raise InvalidInput("quiz", f"{where}: the answer {answer!r} has no words of its own.")


def _check_secrecy(where: str, step: AnswerStep, normal: squad.Normal) -> None:
    """Check that the page's texts do not give the key away."""
    for text in (step.question, *step.hints):
        for accepted in step.accepted:
            if f" {normal(accepted)} " in f" {normal(text)} ":
                raise InvalidInput("quiz", f"{where}: {text!r} gives the answer {accepted!r} away. Word it otherwise.")


def _check_sample(quiz: QuizContent, writing: ReadingComprehension) -> None:
    sample = quiz.sample
    if not 1 <= sample.wins_wanted <= sample.max_wins <= sample.max_tries:
        raise InvalidInput(
            "quiz",
            f"sample: wins_wanted={sample.wins_wanted}, max_wins={sample.max_wins} and max_tries={sample.max_tries} "
            "must not be below 1 and must not decrease in this order.",
        )
    if sample.min_attempts > sample.max_tries:
        raise InvalidInput(
            "quiz",
            f"sample: min_attempts={sample.min_attempts} is above max_tries={sample.max_tries}; nobody could pass.",
        )
    for number, reference in enumerate(sample.questions):
        where = f"sample.questions.{number}"
        _check_answer(quiz, where, sample.passage, reference.answer, writing.normal)
        try:
            writing.check(quiz.work(sample.passage, reference), TaskItem(quiz.context(sample.passage)))
        except InvalidInput as error:
            raise InvalidInput("quiz", f"{where}: {error}") from None
