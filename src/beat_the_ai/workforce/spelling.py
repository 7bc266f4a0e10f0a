"""The look of words in a campaign's contexts: how likely letters follow each other, in whatever language.

A word is odd when it is less likely than nearly all words of the contexts: "asdfjkl" is, a name usually is not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from beat_the_ai.workforce.tokens import tokens

SHORTEST = 4  # letters; shorter words say too little
FEWEST_WORDS = 300  # different ones, in the contexts; fewer do not show what a language looks like
ODD_QUANTILE = 0.97
EDGE = " "


@dataclass(frozen=True)
class Spelling:
    """`surprise` is the mean of -log2 P(letter | the two before it) over a word; above `limit` it is odd."""

    triples: Counter[str]
    pairs: Counter[str]
    alphabet: int
    limit: float

    @classmethod
    def of(cls, texts: Iterable[str]) -> Spelling:
        words = sorted({word for text in texts for word in tokens(text) if word.isalpha()})
        triples = Counter(triple for word in words for triple in _triples(word))
        pairs: Counter[str] = Counter()
        for triple, count in triples.items():
            pairs[triple[:2]] += count
        drawn = cls(triples, pairs, len({letter for word in words for letter in word}) + 1, math.inf)
        # Each word is scored without itself, else every name that occurs once would look familiar.
        surprises = sorted(drawn.surprise(word, seen=1) for word in words if len(word) >= SHORTEST)
        limit = surprises[int(ODD_QUANTILE * (len(surprises) - 1))] if len(surprises) >= FEWEST_WORDS else math.inf
        return cls(triples, pairs, drawn.alphabet, limit)

    def surprise(self, word: str, seen: int = 0) -> float:
        """Bits per letter; `seen` occurrences of the word itself are left out of the counts."""
        bits = [
            -math.log2((self.triples[triple] - seen + 0.1) / (self.pairs[triple[:2]] - seen + 0.1 * self.alphabet))
            for triple in _triples(word)
        ]
        return sum(bits) / len(bits)

    def is_odd(self, word: str) -> bool:
        return len(word) >= SHORTEST and self.surprise(word) > self.limit


def _triples(word: str) -> list[str]:
    padded = f"{EDGE}{EDGE}{word}{EDGE}"
    return [padded[start : start + 3] for start in range(len(padded) - 2)]
