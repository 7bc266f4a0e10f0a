"""Artefacts of Quizbowl questions: an answer that is told by its category, or by a single sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from beat_the_ai.kinds.quizbowl.writing import Work
from beat_the_ai.kinds.sentences import sentences
from beat_the_ai.rules.artefacts import PART, Baseline, Naming, Trace, bag
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import TaskItem

PRIOR = Baseline("category only", "The answer, one of the most frequent ones, by the category.", "Wallace et al. 2019")
FIRST = Baseline(
    "first sentence only",
    "The answer, one of the most frequent ones, by the words of the first sentence, which should be the hardest clue.",
    "Wallace et al. 2019",
)
LAST = Baseline(
    "last sentence only",
    "The answer, one of the most frequent ones, by the words of the last sentence.",
    "Wallace et al. 2019",
    "The last sentence is meant to give the answer away.",
)


class QuestionArtefacts:
    """Questions depend on no context: a category holds too many of them."""

    label: ClassVar[str] = "category"
    natural: ClassVar[str] = "A category has words of its own; compare them with those of another dataset."
    baselines: ClassVar[Sequence[Baseline]] = (PRIOR, FIRST, LAST)

    def work(self, example: Example) -> LabelledWork:
        work = Work.model_validate(example.work)
        return LabelledWork(example.id, TaskItem(example.context), work, {PART: example.part}, example.fooled)

    def traces(self, works: Sequence[LabelledWork]) -> Sequence[Trace]:
        return [_trace(work) for work in works]


def _trace(one: LabelledWork) -> Trace:
    assert isinstance(one.work, Work), "a work of this kind"
    text, answer = one.work.text, one.work.answer
    category = str(one.task_item.context.private["category"])
    said = [bag(text[place.start : place.end]) for place in sentences(text)] or [()]
    guesses = {
        PRIOR.name: Naming((category,), answer),
        FIRST.name: Naming(said[0], answer),
        LAST.name: Naming(said[-1], answer),
    }
    return Trace(one.id, one.groups.get(PART, ""), "", text, category, bag(text), guesses=guesses)
