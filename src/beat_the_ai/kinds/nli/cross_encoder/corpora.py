"""What is trained on: corpora with weights, parts that must not be among them, what is held out, and batches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.cross_encoder.features import EncodedText, encode
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.pairs import LabelledPair, identity, read_pairs
from beat_the_ai.networks.text import Vocabulary

LENGTH_NOISE = 0.3  # batches differ from epoch to epoch


@dataclass(frozen=True)
class Corpus:
    """A file of pairs, and how often an epoch has each of them; of a broken weight the rest is drawn anew each time."""

    path: Path
    weight: float = 1.0


@dataclass(frozen=True)
class Example:
    premise: EncodedText
    hypothesis: EncodedText
    label: int  # in `LABELS`

    @property
    def length(self) -> int:
        return len(self.premise.pieces) + len(self.hypothesis.pieces)


@dataclass(frozen=True)
class Weighted:
    """The examples of a corpus, and how often an epoch has each."""

    examples: Sequence[Example]
    weight: float


def refuse_overlap(training: Path, pairs: Sequence[LabelledPair], part: Path) -> None:
    """Raises `InvalidInput` where pairs are in a part on which models are chosen or measured."""
    apart = {identity(labelled.pair) for labelled in read_pairs(part).pairs}
    found = [labelled.id for labelled in pairs if identity(labelled.pair) in apart]
    if found:
        shown = ", ".join(found[:5]) + (" …" if len(found) > 5 else "")
        raise InvalidInput(
            "data",
            f"{len(found):,} pairs of {training} are also in {part}, on which a model that was trained on them would "
            f"look too good. Take them out of the training data: {shown}.",
        )


def hold_out(
    corpora: Sequence[Sequence[LabelledPair]], share: float, seed: int
) -> tuple[list[list[LabelledPair]], list[LabelledPair]]:
    """The rest of each corpus, and a share of all their premises with every pair on them."""
    premises = sorted({identity(labelled.pair)[0] for pairs in corpora for labelled in pairs})
    number = round(share * len(premises))
    out = set(random.Random(seed).sample(premises, number))  # noqa: S311 - a draw, not a secret
    rest = [[labelled for labelled in pairs if identity(labelled.pair)[0] not in out] for pairs in corpora]
    held = [labelled for pairs in corpora for labelled in pairs if identity(labelled.pair)[0] in out]
    return rest, held


def encoded(pairs: Sequence[LabelledPair], vocabulary: Vocabulary, *, hypothesis_only: bool) -> list[Example]:
    return [
        Example(
            encode("" if hypothesis_only else labelled.pair.premise, vocabulary),
            encode(labelled.pair.hypothesis, vocabulary),
            LABELS.index(labelled.label),
        )
        for labelled in pairs
    ]


def epoch(corpora: Sequence[Weighted], pairs_per_batch: int, chance: random.Random) -> Iterator[list[Example]]:
    """Batches of pairs of similar length, in random order."""
    drawn: list[Example] = []
    for corpus in corpora:
        whole = int(corpus.weight)
        rest = int((corpus.weight - whole) * len(corpus.examples))
        drawn += [*corpus.examples] * whole + chance.sample(corpus.examples, rest)
    drawn.sort(key=lambda example: example.length * chance.uniform(1 - LENGTH_NOISE, 1 + LENGTH_NOISE))
    batches = list(batched(drawn, pairs_per_batch))
    chance.shuffle(batches)
    yield from batches


def batched(examples: Sequence[Example], pairs_per_batch: int) -> Iterator[list[Example]]:
    for first in range(0, len(examples), pairs_per_batch):
        yield list(examples[first : first + pairs_per_batch])


def words_dropped(
    pieces: NDArray[np.int64], vocabulary: Vocabulary, share: float, chance: random.Random
) -> NDArray[np.int64]:
    """Pieces (N, L) with the unknown piece in the place of a share of those that words consist of."""
    drawn = np.random.default_rng(chance.getrandbits(64)).random(pieces.shape) < share
    of_words = ~np.isin(pieces, [0, vocabulary.start, vocabulary.end])
    return np.where(drawn & of_words, vocabulary.unknown, pieces)


def labels(examples: Sequence[Example]) -> NDArray[np.int64]:
    """(N,), numbers in `LABELS`."""
    return np.array([example.label for example in examples], dtype=np.int64)
