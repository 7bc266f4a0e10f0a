"""Simulated people: writers who search for a hypothesis that the model mistakes, and verifiers who label hypotheses.

What is true of a premise they know from the hypotheses that stand with it (`private["hypotheses"]`), and from others
that are made of its sentences so that their label is known. Writers hand in no gold. Of the model, they know what the
page told them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Annotated

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.writing import WORDING, HypothesisWriting, Work
from beat_the_ai.rules.kind import Judgement
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation import personas

EMPTY_HYPOTHESES = (
    "The text says good things {number}.",
    "I like this nice text {number} times.",
    "This is nice text number {number}, very good.",
    "It is a text of {number} things.",
)
MOST_WORKS = 10  # tries that any round allows
LEAD_IN = "What the text tells its readers, among other things, is this: "
SENTENCES = 2  # of a premise, of which variations are made
Share = Annotated[float, Field(ge=0, le=1)]
_SENTENCE = re.compile(r"[^.!?]+[.!?]")
_NUMBER = re.compile(r"\b\d{1,4}\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")


@dataclass(frozen=True)
class Writer:
    """`skill`: how often the most promising hypothesis that is left is tried, not just any. `error_rate`: how often it
    has another label than the target. Who knows of no more that has the target gives up.
    """

    skill: Share
    error_rate: Share


WRITERS: Mapping[str, Writer] = {
    personas.GOOD: Writer(skill=0.8, error_rate=0.02),
    personas.SLOPPY: Writer(skill=0.4, error_rate=0.5),
}


@dataclass(frozen=True)
class Annotators:
    """`writers` by persona; those whose persona is not among them copy from others, or write anything for the reward.

    An error rate of verifiers is how often they give another label than the one that is true of the premise.
    """

    writers: Mapping[str, Writer] = field(default_factory=lambda: WRITERS)
    careful_error_rate: Share = 0.05
    careless_error_rate: Share = 0.4

    def works(
        self, persona: str, task_item: TaskItem, rng: random.Random, memory: Sequence[Judgement] = ()
    ) -> Iterator[Json]:
        texts: Iterable[str]
        if persona in self.writers:
            texts = _search(self.writers[persona], task_item, rng, memory)
        elif persona == personas.COPYING:
            texts = [each.text for each in reversed(_own_hypotheses(task_item.context))]
        else:
            texts = [rng.choice(EMPTY_HYPOTHESES).format(number=rng.randint(2, 999)) for _ in range(MOST_WORKS)]
        return ({"hypothesis": text} for text in islice(texts, MOST_WORKS))

    def explanation(self, work: Json, task_item: TaskItem) -> Json:
        """The reason that stands with the hypothesis, if there is one."""
        known = {each["text"]: each.get("reason") for each in task_item.context.private.get("hypotheses", [])}
        target = WORDING[work["target"]]
        return {
            "label_reason": known.get(work["hypothesis"]) or f"By the text it is {target}.",
            "model_reason": "It may have looked at single words only.",
        }

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        """A hypothesis of which nothing is known is a bad example to the careful; the careless guess."""
        rng = random.Random(f"{seed}/{context.id}/{shown['hypothesis']}")  # noqa: S311  # a simulation, not a secret
        error_rate = self.careful_error_rate if careful else self.careless_error_rate
        truth = dict(known_hypotheses(context)).get(shown["hypothesis"])
        if truth is None:
            return {"label": None, "flag": "not_understandable"} if careful else {"label": rng.choice(LABELS)}
        if rng.random() < error_rate:
            return {"label": rng.choice([label for label in LABELS if label != truth])}
        return {"label": truth}

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Return whether the hypothesis has another label than the target, or none."""
        label = dict(known_hypotheses(context)).get(work["hypothesis"])
        return label is None or label != work["target"]


@dataclass(frozen=True)
class Hypothesis:
    """`change` is how it was made from the premise: the skill that it takes, or how a sentence was varied."""

    text: str
    label: str
    change: str
    gold: bool = False


def known_hypotheses(context: Context) -> list[tuple[str, str]]:
    """Return hypotheses with their labels: variations of a premise's sentences, then those that stand with it.

    So the harder ones come later: those that stand with a premise are in that order, too.
    """
    return [(each.text, each.label) for each in _hypotheses(context)]


def _own_hypotheses(context: Context) -> list[Hypothesis]:
    """Return the hypotheses that a writer hands in: no gold."""
    return [each for each in _hypotheses(context) if not each.gold]


def _hypotheses(context: Context) -> list[Hypothesis]:
    known = [
        Hypothesis(each["text"], each["label"], each.get("skill", ""), each["gold"])
        for each in context.private.get("hypotheses", [])
    ]
    return [each for each in [*_variations(context.text), *known] if _may_be_written(each.text, context.text)]


@lru_cache(maxsize=10_000)  # each writer, verifier and reviewer goes through all of a premise's hypotheses
def _may_be_written(text: str, premise: str) -> bool:
    try:
        HypothesisWriting().check(Work(hypothesis=text), TaskItem(Context("", premise), {"target": LABELS[0]}))
    except InvalidInput:
        return False
    return True


def _search(writer: Writer, task_item: TaskItem, rng: random.Random, memory: Sequence[Judgement]) -> Iterator[str]:
    """One after the other, each by what is remembered when it is asked for."""
    by_label: dict[str, list[Hypothesis]] = {label: [] for label in LABELS}
    for hypothesis in _own_hypotheses(task_item.context):
        by_label[hypothesis.label].append(hypothesis)
    experience = Experience(memory)
    target = task_item.brief["target"]
    while by_label[target]:
        others = [label for label in LABELS if label != target and by_label[label]]
        mistaken = others and rng.random() < writer.error_rate
        left = by_label[rng.choice(others) if mistaken else target]
        if rng.random() < writer.skill:
            tried = max(reversed(left), key=lambda each: experience.promise(each, target))
        else:
            tried = rng.choice(left)
        left.remove(tried)
        yield tried.text


class Experience:
    """The success of each change against the model, by target."""

    def __init__(self, memory: Sequence[Judgement]) -> None:
        self._memory = memory
        self._changes: dict[str, Mapping[str, str]] = {}

    def promise(self, hypothesis: Hypothesis, target: str) -> float:
        """Return the chance to beat the model, by Laplace's rule of succession: 1/2 for a change never tried."""
        wins = tries = 0
        for judgement in self._memory:
            if judgement.task_item.brief["target"] == target and self._change(judgement) == hypothesis.change:
                wins, tries = wins + judgement.fooled, tries + 1
        return (wins + 1) / (tries + 2)

    def _change(self, judgement: Judgement) -> str | None:
        context = judgement.task_item.context
        if context.id not in self._changes:
            self._changes[context.id] = {each.text: each.change for each in _hypotheses(context)}
        return self._changes[context.id].get(judgement.work["hypothesis"])


def _variations(premise: str) -> Iterator[Hypothesis]:
    """Yield statements about the shortest sentences with certain labels, in enough words not to be copies."""
    names = sorted(set(_NAME.findall(premise)))
    sentences = [sentence.strip().rstrip(".!?") for sentence in _SENTENCE.findall(premise)]
    for claim in sorted(sentences, key=len)[:SENTENCES]:
        yield Hypothesis(f"{LEAD_IN}{claim}.", "entailment", "repeated")
        yield Hypothesis(
            f"{claim}, and a neighbour of the writer was the first to notice it.", "neutral", "something added"
        )
        denied = f"It is simply false, whatever other people may say about it: {claim}."
        yield Hypothesis(denied, "contradiction", "denied")
        for label, changed in _changed_number(claim):
            yield Hypothesis(f"{LEAD_IN}{changed}.", label, "another number")
        for label, changed in _swapped_name(claim, names):
            yield Hypothesis(f"{LEAD_IN}{changed}.", label, "another name")


def _changed_number(claim: str) -> Iterator[tuple[str, str]]:
    number = _NUMBER.search(claim)
    if number is not None:
        before, after, more = claim[: number.start()], claim[number.end() :], int(number.group()) + 7
        yield "contradiction", f"{before}{more}{after}"
        yield "entailment", f"{before}{number.group()}, not {more}{after}"


def _swapped_name(claim: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    name = _NAME.search(claim)
    other = next((other for other in names if name is not None and other not in claim), None)
    if name is not None and other is not None:
        yield "contradiction", f"{claim[: name.start()]}{other}{claim[name.end() :]}"
