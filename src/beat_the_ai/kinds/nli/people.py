"""Simulated people: writers who search for a hypothesis that the model mistakes, and verifiers who label hypotheses.

All are pure. What is true of a premise they know from the hypotheses that stand with it (`private["hypotheses"]`), and
from others that are made of its sentences so that their label is known.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.writing import WORDING, HypothesisWriting, Work
from beat_the_ai.rules.protocol import Context, Json, Piece
from beat_the_ai.simulation import manners

EMPTY_HYPOTHESES = (
    "The text says good things {number}.",
    "I like this nice text {number} times.",
    "Nice text number {number}, very good.",
    "It is a text of {number} things.",
)
MOST_WORKS = 10  # tries that any round allows
LEAD_IN = "What the text tells its readers, among other things, is this: "
SENTENCES = 2  # of a premise, of which variations are made
_SENTENCE = re.compile(r"[^.!?]+[.!?]")
_NUMBER = re.compile(r"\b\d{1,4}\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")


@dataclass(frozen=True)
class Writer:
    """`skill`: how often the hardest hypothesis that is left is tried first, not just any. `error_rate`: how
    often it has another label than the target. Who knows of no more that has the target gives up.
    """

    skill: float
    error_rate: float


WRITERS: Mapping[str, Writer] = {
    manners.GOOD: Writer(skill=0.8, error_rate=0.02),
    manners.SLOPPY: Writer(skill=0.4, error_rate=0.5),
}


@dataclass(frozen=True)
class Annotators:
    """`writers` by manner; those whose manner is not among them copy from others, or write anything for the reward.

    An error rate of verifiers is how often they give another label than the one that is true of the premise.
    """

    writers: Mapping[str, Writer] = field(default_factory=lambda: WRITERS)
    careful_error_rate: float = 0.05
    careless_error_rate: float = 0.4

    def works(self, manner: str, piece: Piece, chance: random.Random) -> list[Json]:
        if manner in self.writers:
            texts = _search(self.writers[manner], piece, chance)
        elif manner == manners.COPYING:
            texts = [text for text, _ in reversed(known_hypotheses(piece.context))]
        else:
            texts = [chance.choice(EMPTY_HYPOTHESES).format(number=chance.randint(2, 999)) for _ in range(MOST_WORKS)]
        return [{"hypothesis": text} for text in texts[:MOST_WORKS]]

    def explanation(self, work: Json, piece: Piece) -> Json:
        """The reason that stands with the hypothesis, if there is one."""
        known = {each["text"]: each.get("reason") for each in piece.context.private.get("hypotheses", [])}
        target = WORDING[work["target"]]
        return {
            "label_reason": known.get(work["hypothesis"]) or f"By the text it is {target}.",
            "model_reason": "It may have looked at single words only.",
        }

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        """A hypothesis of which nothing is known is a bad example to the careful; the careless guess."""
        chance = random.Random(f"{seed}/{context.id}/{shown['hypothesis']}")  # noqa: S311  # a simulation, not a secret
        error_rate = self.careful_error_rate if careful else self.careless_error_rate
        truth = dict(known_hypotheses(context)).get(shown["hypothesis"])
        if truth is None:
            return {"label": None, "flag": "not_understandable"} if careful else {"label": chance.choice(LABELS)}
        if chance.random() < error_rate:
            return {"label": chance.choice([label for label in LABELS if label != truth])}
        return {"label": truth}

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Whether the hypothesis has another label than the target, or none."""
        label = dict(known_hypotheses(context)).get(work["hypothesis"])
        return label is None or label != work["target"]


def known_hypotheses(context: Context) -> list[tuple[str, str]]:
    """Hypotheses that a writer may hand in, with their labels: variations of its sentences, then what stands with it.

    So the harder ones come later: those that stand with a premise are in that order, too.
    """
    known = [(each["text"], each["label"]) for each in context.private.get("hypotheses", [])]
    return [pair for pair in [*_variations(context.text), *known] if _may_be_written(pair[0], context)]


def _may_be_written(text: str, context: Context) -> bool:
    try:
        HypothesisWriting().check(Work(hypothesis=text), Piece(context, {"target": LABELS[0]}))
    except InvalidInput:
        return False
    return True


def _search(writer: Writer, piece: Piece, chance: random.Random) -> list[str]:
    """In the order in which they are tried."""
    by_label: dict[str, list[str]] = {label: [] for label in LABELS}
    for text, label in known_hypotheses(piece.context):
        by_label[label].append(text)
    target, tried = piece.brief["target"], list[str]()
    while by_label[target] and len(tried) < MOST_WORKS:
        others = [label for label in LABELS if label != target and by_label[label]]
        mistaken = others and chance.random() < writer.error_rate
        left = by_label[chance.choice(others) if mistaken else target]
        tried.append(left.pop(-1 if chance.random() < writer.skill else chance.randrange(len(left))))
    return tried


def _variations(premise: str) -> Iterator[tuple[str, str]]:
    """What can be said of the shortest sentences so that its label is certain, in enough words not to be a copy."""
    names = sorted(set(_NAME.findall(premise)))
    sentences = [sentence.strip().rstrip(".!?") for sentence in _SENTENCE.findall(premise)]
    for claim in sorted(sentences, key=len)[:SENTENCES]:
        yield f"{LEAD_IN}{claim}.", "entailment"
        yield f"{claim}, and a neighbour of the writer was the first to notice it.", "neutral"
        yield f"It is simply false, whatever other people may say about it: {claim}.", "contradiction"
        for label, changed in (*_changed_number(claim), *_swapped_name(claim, names)):
            yield f"{LEAD_IN}{changed}.", label


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
