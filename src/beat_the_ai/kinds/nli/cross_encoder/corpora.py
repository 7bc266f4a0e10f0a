"""Pairs as the network is trained on them: encoded, in batches, with words dropped."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.nli.cross_encoder.features import EncodedText, encode
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.networks.progress import Observer, prepare
from beat_the_ai.networks.sampling import Weighted, batched, draw
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True)
class Example:
    premise: EncodedText
    hypothesis: EncodedText
    label: int  # in `LABELS`

    @property
    def length(self) -> int:
        return len(self.premise.pieces) + len(self.hypothesis.pieces)


def encoded(
    pairs: Sequence[LabelledPair], vocabulary: Vocabulary, observer: Observer, *, hypothesis_only: bool
) -> list[Example]:
    def example(labelled: LabelledPair) -> Example:
        premise = "" if hypothesis_only else labelled.pair.premise
        hypothesis = encode(labelled.pair.hypothesis, vocabulary)
        return Example(encode(premise, vocabulary), hypothesis, LABELS.index(labelled.target))

    return list(prepare(pairs, example, observer))


def epoch(corpora: Sequence[Weighted[Example]], pairs_per_batch: int, rng: random.Random) -> list[list[Example]]:
    """Batches of pairs of similar length, in random order."""
    batches = batched(draw(corpora, lambda example: example.length, rng), pairs_per_batch)
    rng.shuffle(batches)
    return batches


def words_dropped(
    pieces: NDArray[np.int64], vocabulary: Vocabulary, share: float, rng: random.Random
) -> NDArray[np.int64]:
    """Pieces (N, L) with the unknown piece in the place of a share of those that words consist of."""
    drawn = np.random.default_rng(rng.getrandbits(64)).random(pieces.shape) < share
    of_words = ~np.isin(pieces, [0, vocabulary.start, vocabulary.end])
    return np.where(drawn & of_words, vocabulary.unknown, pieces)


def labels(examples: Sequence[Example]) -> NDArray[np.int64]:
    """(N,), numbers in `LABELS`."""
    return np.array([example.label for example in examples], dtype=np.int64)
