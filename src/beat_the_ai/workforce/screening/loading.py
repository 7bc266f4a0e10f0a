"""Reading a quiz from its file. One that asks what it does not accept itself, or gives its keys away, is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.rules import squad
from beat_the_ai.rules.protocol import Piece
from beat_the_ai.rules.reading_comprehension import ReadingComprehension
from beat_the_ai.workforce.data_file import read_data_file
from beat_the_ai.workforce.screening.grading import Grader
from beat_the_ai.workforce.screening.quiz import AnswerStep, PairStep, QuestionStep, Quiz, Step


def load_quiz(path: Path, kind: ReadingComprehension | None = None) -> Quiz:
    """A quiz, checked as a whole. Raises `InvalidInput` that says where in the file and what is wrong there."""
    quiz = read_data_file(path, Quiz, "quiz")
    try:
        _check_names(quiz)
        _check_passages(quiz)
        _check_steps(quiz, kind or ReadingComprehension())
        _check_sample(quiz, kind or ReadingComprehension())
    except BeatTheAIError as error:
        raise InvalidInput("quiz", f"The quiz {path} is not as it should be. {error}") from None
    return quiz


def _check_names(quiz: Quiz) -> None:
    for name, times in Counter(step.id for step in quiz.steps).items():
        if times > 1:
            raise InvalidInput("quiz", f"steps: the id {name!r} is used {times} times; each needs one of its own.")
    used = {f"steps.{number}": step.passage for number, step in enumerate(quiz.steps)}
    for where, passage in {**used, "sample": quiz.sample.passage}.items():
        if passage not in quiz.passages:
            known = ", ".join(sorted(quiz.passages)) or "none"
            raise InvalidInput("quiz", f"{where}: there is no passage {passage!r}. The quiz has: {known}.")


def _check_passages(quiz: Quiz) -> None:
    for name, passage in quiz.passages.items():
        if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in passage.title + passage.text):
            raise InvalidInput("quiz", f"passages.{name} has a NUL or a lone surrogate, which no store can keep.")


def _check_steps(quiz: Quiz, kind: ReadingComprehension) -> None:
    grader = Grader(quiz, kind)
    for number, step in enumerate(quiz.steps):
        where = f"steps.{number}"
        for answer in _answers(step):
            _check_answer(quiz, where, step.passage, answer)
        if isinstance(step, QuestionStep) and quiz.passages[step.passage].text.count(step.answer) > 1:
            raise InvalidInput(
                "quiz", f"{where}: {step.answer!r} stands in the passage more than once; give an answer that is unique."
            )
        if isinstance(step, AnswerStep):
            _check_secrecy(where, step)
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


def _check_answer(quiz: Quiz, where: str, passage: str, answer: str) -> None:
    if answer not in quiz.passages[passage].text:
        raise InvalidInput("quiz", f"{where}: the passage {passage!r} does not have the words {answer!r}.")
    if not squad.normalise(answer):
        raise InvalidInput("quiz", f"{where}: the answer {answer!r} has no words of its own.")


def _check_secrecy(where: str, step: AnswerStep) -> None:
    """What the page is told must not give the key away."""
    for text in (step.question, *step.hints):
        for accepted in step.accepted:
            if f" {squad.normalise(accepted)} " in f" {squad.normalise(text)} ":
                raise InvalidInput("quiz", f"{where}: {text!r} gives the answer {accepted!r} away. Word it otherwise.")


def _check_sample(quiz: Quiz, kind: ReadingComprehension) -> None:
    sample = quiz.sample
    quiz.terms(reward_cents=0, time_limit_seconds=0)
    if sample.min_attempts > sample.max_tries:
        raise InvalidInput(
            "quiz",
            f"sample: min_attempts={sample.min_attempts} is above max_tries={sample.max_tries}; nobody could pass.",
        )
    for number, reference in enumerate(sample.questions):
        where = f"sample.questions.{number}"
        _check_answer(quiz, where, sample.passage, reference.answer)
        try:
            kind.check(quiz.work(sample.passage, reference), Piece(quiz.context(sample.passage)))
        except InvalidInput as error:
            raise InvalidInput("quiz", f"{where}: {error}") from None
