"""The examples of an epoch, from corpora with weights, and their order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

LENGTH_NOISE = 0.3  # batches differ from epoch to epoch

Example = TypeVar("Example")


@dataclass(frozen=True)
class Weighted(Generic[Example]):
    """The examples of a corpus, and how often an epoch has each; of a broken weight the rest is drawn anew."""

    examples: Sequence[Example]
    weight: float


def draw(corpora: Sequence[Weighted[Example]], length: Callable[[Example], int], rng: random.Random) -> list[Example]:
    """Draw the examples of an epoch, roughly by length, so that neighbours make batches with little padding."""
    drawn: list[Example] = []
    for corpus in corpora:
        whole = int(corpus.weight)
        rest = int((corpus.weight - whole) * len(corpus.examples))
        drawn += [*corpus.examples] * whole + rng.sample(corpus.examples, rest)
    drawn.sort(key=lambda example: length(example) * rng.uniform(1 - LENGTH_NOISE, 1 + LENGTH_NOISE))
    return drawn


def batched(examples: Sequence[Example], size: int) -> list[list[Example]]:
    """In their order; the last batch may be smaller."""
    return [list(examples[first : first + size]) for first in range(0, len(examples), size)]
