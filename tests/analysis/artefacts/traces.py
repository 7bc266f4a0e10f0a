"""Examples with a planted artefact, as a kind of task hands them over."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.rules.artefacts import Baseline, Naming, Trace, bag, share_within
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.dataset import Example

LABELS = ("yes", "maybe", "no")
WORDS = ["mill", "river", "bridge", "horse", "market", "tower", "garden", "winter", "letter", "captain"]
BY_TEXT = Baseline("text only", "The label by the words of the text.", "Gururangan et al. 2018")


@dataclass(frozen=True)
class OneBaseline:
    baselines: Sequence[Baseline] = (BY_TEXT,)
    label: ClassVar[str] = "label"
    natural: ClassVar[str] = ""

    def work(self, example: Example) -> LabelledWork:
        raise NotImplementedError

    def traces(self, works: Sequence[LabelledWork]) -> Sequence[Trace]:
        raise NotImplementedError


def trace(name: str, text: str, label: str, part: str = "", context: str = "") -> Trace:
    words = bag(text)
    shared = share_within(words, bag(context)) if context else None
    return Trace(name, part, context, text, label, words, shared, guesses={BY_TEXT.name: Naming(words, label)})


def planted(number: int, rate: float, seed: int = 1, *, parts: bool = True) -> list[Trace]:
    """Examples of which this share of those labelled "no" have the word "nobody"; all else is by chance."""
    draw, found = random.Random(seed), []
    for each in range(number):
        label = LABELS[each % 3]
        text = " ".join(draw.choice(WORDS) for _ in range(5)) + f" {each}"
        if label == "no" and draw.random() < rate:
            text += " nobody"
        part = ("train" if each < 0.7 * number else "dev") if parts else ""
        found.append(trace(f"e{each}", text, label, part, f"context {each // 3}"))
    return found
