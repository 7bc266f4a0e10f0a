"""Which texts are nearly the same: Jaccard similarity of their words and word pairs, the rare ones weighing more.

Weights are inverse document frequencies, so that "What is the name of …?" alone makes nothing alike. The search is
exact and does not look at every pair: two texts above a threshold share one of the rarest features of either (the
prefix filter of similarity joins; Chaudhuri et al. 2006).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

LIKE = 0.5  # above it a person would look twice

_WORD = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    """Its words, without case and punctuation."""
    return _WORD.findall(text.casefold())


class Likeness:
    """An index of texts in the order in which they were written."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._features = [_features(text) for text in texts]
        counts = Counter(feature for features in self._features for feature in features)
        self._weights = {feature: math.log1p(len(texts) / count) for feature, count in counts.items()}
        self._totals = [self._weight(features) for features in self._features]
        self._having: dict[str, list[int]] = {}
        for number, features in enumerate(self._features):
            for feature in features:
                self._having.setdefault(feature, []).append(number)

    def before(self, number: int, threshold: float) -> list[tuple[int, float]]:
        """`(number, similarity)` of the texts before this one that reach the threshold, the most similar first."""
        features = self._features[number]
        candidates = {
            other for feature in self._rarest(number, threshold) for other in self._having[feature] if other < number
        }
        found = []
        for other in candidates:
            shared = self._weight(features & self._features[other])
            similarity = shared / (self._totals[number] + self._totals[other] - shared)
            if similarity >= threshold:
                found.append((other, similarity))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def _rarest(self, number: int, threshold: float) -> list[str]:
        """The fewest features of which a text above the threshold must share one: the others weigh too little."""
        ranked = sorted(self._features[number], key=lambda feature: (-self._weights[feature], feature))
        left, needed = self._totals[number], threshold * self._totals[number] * (1 - 1e-9)  # for rounding
        for count, feature in enumerate(ranked):
            if left < needed:
                return ranked[:count]
            left -= self._weights[feature]
        return ranked

    def _weight(self, features: frozenset[str]) -> float:
        return math.fsum(self._weights[feature] for feature in features)


def _features(text: str) -> frozenset[str]:
    words = tokens(text)
    return frozenset([*words, *(f"{one} {two}" for one, two in pairwise(words))])
