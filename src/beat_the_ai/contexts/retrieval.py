"""The passages that questions are about, by TF-IDF, as Nie et al. 2020 ("Round 1") retrieved their contexts.

A word weighs (1 + ln its count in the text) · (1 + ln((1 + N) / (1 + n))), where n of N passages have it; texts are
compared by the cosine (Salton and Buckley 1988).
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")


class Index:
    """An index of the words of texts, which are known by their place."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._size = len(texts)
        places: dict[str, array[int]] = defaultdict(lambda: array("q"))
        weights: dict[str, array[float]] = defaultdict(lambda: array("d"))
        counts = [_counts(text) for text in texts]
        found_in = Counter(word for of_text in counts for word in of_text)
        self._idf = {word: 1 + log((1 + self._size) / (1 + number)) for word, number in found_in.items()}
        for place, of_text in enumerate(counts):
            for word, weight in self._weights(of_text).items():
                places[word].append(place)
                weights[word].append(weight)
        self._places = {word: np.array(found, dtype=np.int64) for word, found in places.items()}
        self._of_places = {word: np.array(found, dtype=np.float64) for word, found in weights.items()}

    def similarities(self, query: str) -> NDArray[np.float64]:
        """(texts,) from 0 to 1."""
        found = np.zeros(self._size)
        for word, weight in sorted(self._weights(_counts(query)).items()):
            found[self._places[word]] += weight * self._of_places[word]
        return found

    def _weights(self, counts: Counter[str]) -> dict[str, float]:
        """Return the weights of the known words, as a vector of length 1."""
        weights = {word: (1 + log(count)) * self._idf[word] for word, count in counts.items() if word in self._idf}
        length = sqrt(sum(weight**2 for weight in weights.values()))
        return {word: weight / length for word, weight in weights.items()}


def best_for_each(texts: Sequence[str], questions: Sequence[str], taken: Collection[int] = ()) -> Iterator[int | None]:
    """The place of the text that is most like each question, in their order, and not `taken` or given out before.

    Of equals the first; None where no text has a word of the question.
    """
    index = Index(texts)
    is_free = np.ones(len(texts), dtype=bool)
    is_free[list(taken)] = False
    for question in questions:
        similarities = np.where(is_free, index.similarities(question), 0.0)
        best = int(similarities.argmax()) if len(texts) else 0
        if not len(texts) or similarities[best] == 0:
            yield None
            continue
        is_free[best] = False
        yield best


def _counts(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
