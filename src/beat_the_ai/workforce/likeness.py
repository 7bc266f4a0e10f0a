"""The likeness of texts: Jaccard similarity of their words and word pairs, with more weight for rare ones.

Weights are inverse document frequencies, so that "What is the name of …?" alone makes no texts alike. The search is
exact and does not look at every pair. Two texts above a threshold share one of the rarest features of either (the
prefix filter of similarity joins; Chaudhuri et al. 2006).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from beat_the_ai.workforce.tokens import tokens

LIKE = 0.5  # above it a person would look twice
LATELY = 20_000  # features; so many are sorted again for every text that is added

Features = npt.NDArray[np.int64]  # hashes


class Likeness:
    """An index of texts in the order in which they are added. A feature takes 20 bytes for each text that has it."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._starts = [0]
        self._features = np.empty(0, np.int64)
        self._sorted: list[_Sorted] = []
        self.add(texts)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, texts: Iterable[str]) -> None:
        hashed = [np.array(sorted({hash(feature) for feature in _features(text)}), np.int64) for text in texts]
        if not hashed:
            return
        first = len(self)
        self._starts += (self._starts[-1] + np.cumsum([len(one) for one in hashed], dtype=np.int64)).tolist()
        self._features = np.concatenate([self._features, *hashed])
        begin = first if len(self._sorted) < 2 else self._sorted.pop().first  # what came lately is sorted with it
        if len(self._features) - self._starts[begin] > LATELY:
            self._sorted, begin = [], 0
        self._sorted.append(_Sorted.of(self._features, self._starts, begin))

    def like(self, number: int, threshold: float = LIKE) -> list[tuple[int, float]]:
        """`(number, similarity)` of the other texts that reach the threshold, the most similar first."""
        own = self._of(number)
        weight_of = dict(zip(own.tolist(), self._weights(own), strict=True))
        total = math.fsum(weight_of.values())
        needed = threshold * total * (1 - 1e-9)  # for rounding
        shared_with = {
            other: math.fsum(weight_of[feature] for feature in self._of(other).tolist() if feature in weight_of)
            for other in self._sharing(_rarest(weight_of, needed)) - {number}
        }
        found = []
        for other, shared in shared_with.items():
            if shared >= needed:  # whatever else it has makes it less alike
                similarity = shared / (total + math.fsum(self._weights(self._of(other))) - shared)
                if similarity >= threshold:
                    found.append((other, similarity))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def _sharing(self, features: Iterable[int]) -> set[int]:
        """The texts that have any of these."""
        return {other for feature in features for part in self._sorted for other in part.having(feature).tolist()}

    def _of(self, number: int) -> Features:
        return self._features[self._starts[number] : self._starts[number + 1]]

    def _weights(self, features: Features) -> list[float]:
        counts = sum((part.counts(features) for part in self._sorted), np.zeros(len(features), np.int64)).tolist()
        weight_of = {count: math.log1p(len(self) / count) for count in set(counts)}
        return [weight_of[count] for count in counts]


@dataclass(frozen=True)
class _Sorted:
    """The texts that have a feature, among those from `first` on."""

    first: int
    features: Features
    texts: npt.NDArray[np.int32]

    @classmethod
    def of(cls, features: Features, starts: Sequence[int], first: int) -> _Sorted:
        mine = features[starts[first] :]
        order = np.argsort(mine, kind="stable")
        lengths = [end - start for start, end in pairwise(starts[first:])]
        texts = np.repeat(np.arange(first, len(starts) - 1, dtype=np.int32), lengths)
        return cls(first, mine[order], texts[order])

    def counts(self, features: Features) -> Features:
        ends = np.searchsorted(self.features, features, "right")
        return ends - np.searchsorted(self.features, features, "left")

    def having(self, feature: int) -> npt.NDArray[np.int32]:
        begin, end = (np.searchsorted(self.features, feature, side) for side in ("left", "right"))
        return self.texts[begin:end]


def _rarest(weight_of: Mapping[int, float], needed: float) -> list[int]:
    """The fewest features of which a text above the threshold must share one: the others weigh too little."""
    ranked = sorted(weight_of, key=lambda feature: (-weight_of[feature], feature))
    left = math.fsum(weight_of.values())
    for count, feature in enumerate(ranked):
        if left < needed:
            return ranked[:count]
        left -= weight_of[feature]
    return ranked


def _features(text: str) -> frozenset[str]:
    words = tokens(text)
    return frozenset([*words, *(f"{one} {two}" for one, two in pairwise(words))])
