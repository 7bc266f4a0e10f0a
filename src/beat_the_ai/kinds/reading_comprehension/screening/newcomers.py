"""Simulated newcomers who take a quiz: good, sloppy and malicious ones.

The good know the quiz's references, as a person finds them by reading. The sloppy make the mistakes that people make,
and mostly correct them when they are told. The malicious want the pay and the qualification without the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from beat_the_ai.kinds.reading_comprehension.borders import words
from beat_the_ai.kinds.reading_comprehension.screening.content import AnswerStep, QuestionStep, QuizContent, Step
from beat_the_ai.kinds.reading_comprehension.writing import Span, Work
from beat_the_ai.rules.protocol import Json

SLOPPY_MISTAKES = 0.5  # of each try of a sloppy newcomer
GIBBERISH = ("asdf jkl qwer", "good very nice?", "What is what?", "question 1")


@dataclass(frozen=True)
class ReadingNewcomers:
    """Newcomers to one quiz."""

    quiz: QuizContent

    def response(self, persona: str, step: str, rng: Random) -> Json:
        of = next(each for each in self.quiz.steps if each.id == step)
        if persona == "good" or (persona == "sloppy" and rng.random() >= SLOPPY_MISTAKES):
            return self.quiz.right_response(of)
        text = self.quiz.passages[of.passage].text
        question = {"question": _bad_question(persona, text, rng)}
        if isinstance(of, QuestionStep):
            return question
        # The sloppy mark the whole sentence in which the answer stands, the malicious anything.
        answer = {"answer": self._wordy(of, text) if persona == "sloppy" else _anything(text, rng).model_dump()}
        return answer if isinstance(of, AnswerStep) else {**question, **answer}

    def works(self, persona: str, _brief: Json, rng: Random) -> Sequence[Json]:
        """As many questions as are wanted."""
        sample = self.quiz.sample
        works = [self.quiz.work(sample.passage, reference) for reference in sample.questions]
        if persona == "malicious":
            text = self.quiz.passages[sample.passage].text
            works = [
                Work(question=rng.choice(GIBBERISH), answer=_anything(text, rng)) for _ in range(sample.min_attempts)
            ]
        return [work.model_dump() for work in works[: sample.min_attempts]]

    def _wordy(self, step: Step, text: str) -> dict[str, Any]:
        answer = Span.model_validate(self.quiz.right_response(step)["answer"])
        start = text.rfind(". ", 0, answer.start) + 1
        sentence = text[start:].split(". ")[0]
        marked = sentence.split()[:25]
        first = text.index(marked[0], start)
        last = first
        for word in marked:
            last = text.index(word, last) + len(word)
        return Span(text=text[first:last], start=first).model_dump()


def _bad_question(persona: str, text: str, rng: Random) -> str:
    """The sloppy copy a sentence of the passage, and may forget the question mark; the malicious write anything."""
    if persona == "sloppy":
        sentence = rng.choice(text.split(". "))[:200].rstrip(".")
        return f"{sentence}, is what?" if rng.random() < 0.5 else sentence
    return rng.choice(GIBBERISH)


def _anything(text: str, rng: Random) -> Span:
    start, end = rng.choice([place for place in words(text) if text[slice(*place)].isalpha()])
    return Span(text=text[start:end], start=start)
