"""Artefacts of questions: an answer that is told without the passage, or without the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds.reading_comprehension.report.answer_types import answer_type
from beat_the_ai.kinds.reading_comprehension.squad import Answer, Normal, normalise
from beat_the_ai.kinds.reading_comprehension.writing import Span, Work
from beat_the_ai.kinds.sentences import Place, sentences
from beat_the_ai.rules.artefacts import (
    PART,
    Baseline,
    Choosing,
    Features,
    Guess,
    Naming,
    Trace,
    bag,
    share_within,
)
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import TaskItem

PASSAGE = Baseline(
    "passage only",
    "The sentence of the answer by the words and the place of each sentence.",
    "Kaushik and Lipton 2018",
)
ANSWER = Baseline(
    "question only",
    "The answer, one of the most frequent ones, by the words of the question.",
    "Kaushik and Lipton 2018",
)
TYPE = Baseline(
    "type of answer by the question",
    "The type of the answer by the words of the question.",
    "Sugawara et al. 2018",
    "A question says by itself what type of answer it asks for.",
)
LIKE = Baseline(
    "sentence most like the question",
    "The sentence of the answer is the one that has most words of the question.",
    "Sugawara et al. 2018",
    "A question has words of what it is about; other datasets tell how many are usual.",
)


@dataclass(frozen=True)
class _Passage:
    """The sentences of a passage: their places, their words, and what the baseline sees of each."""

    places: Sequence[Place]
    words: Sequence[Features]
    features: tuple[Features, ...]

    @classmethod
    def of(cls, text: str) -> _Passage:
        places = sentences(text)
        words = [bag(text[place.start : place.end]) for place in places]
        last = len(places) - 1
        features = tuple(
            (*each, f"sentence {number + 1}", *(["last sentence"] if number == last else []))
            for number, each in enumerate(words)
        )
        return cls(places, words, features)

    def sentence_of(self, answer: Span) -> int | None:
        """Return the number of the sentence in which the answer begins."""
        starts = (number for number, place in enumerate(self.places) if place.start <= answer.start < place.end)
        return next(starts, None)

    def likeness(self, question: Features) -> tuple[Features, ...]:
        """Return which sentences have most words of the question."""
        shared = [share_within(question, set(each)) or 0.0 for each in self.words]
        return tuple(("most alike",) if each == max(shared) else () for each in shared)


@dataclass(frozen=True)
class QuestionArtefacts:
    """Types of answers are told of questions in English alone. `normal` is the form in which answers are compared."""

    normal: Normal = normalise
    english: bool = True

    label: ClassVar[str] = "type of answer"
    natural: ClassVar[str] = "Some words ask for a type of answer by nature, as “when” does; most should not."

    @property
    def baselines(self) -> Sequence[Baseline]:
        return (PASSAGE, ANSWER, *([TYPE] if self.english else []), LIKE)

    def work(self, example: Example) -> LabelledWork:
        work = Work.model_validate(example.work)
        return LabelledWork(example.id, TaskItem(example.context), work, {PART: example.part}, example.fooled)

    def traces(self, works: Sequence[LabelledWork]) -> Sequence[Trace]:
        passages: dict[str, _Passage] = {}
        return [self._trace(work, passages) for work in works]

    def _trace(self, one: LabelledWork, passages: dict[str, _Passage]) -> Trace:
        assert isinstance(one.work, Work), "a work of this kind"
        text, context, answer = one.work.question, one.task_item.context.text, one.work.answer
        if context not in passages:
            passages[context] = _Passage.of(context)
        passage, words = passages[context], bag(text)
        label = answer_type(answer.text) if self.english else "any"
        guesses: dict[str, Guess] = {
            ANSWER.name: Naming(words, self.normal(answer.text)),
            TYPE.name: Naming(words, label),
        }
        stands = Answer(answer.text, answer.start).stands_in(context)
        right = passage.sentence_of(answer) if stands else None
        if right is not None and len(passage.places) > 1:
            guesses[PASSAGE.name] = Choosing(passage.features, right)
            guesses[LIKE.name] = Choosing(passage.likeness(words), right)
        return Trace(
            one.id,
            one.groups.get(PART, ""),
            context,
            text,
            label,
            words,
            share_within(words, {word for each in passage.words for word in each}),
            answer.start / len(context) if stands else None,
            guesses,
        )
