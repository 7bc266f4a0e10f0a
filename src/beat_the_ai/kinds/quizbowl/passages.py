"""Passages of questions: runs of words, and short sentences as a whole. A question that has one of another copies it.

Of 1,133 tournament questions, 7 have a passage of one of 1,129 others; two of these are reworded copies.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from beat_the_ai.kinds.quizbowl.wording import Place, sentences

RUN = 12  # words
SHORTEST_SENTENCE = 6  # words; questions do share shorter ones, as "Description acceptable."
_WORD = re.compile(r"\w+")


class Passage(NamedTuple):
    """`text` is as it stands in the question; passages with the same `words` are the same."""

    text: str
    words: tuple[str, ...]


class KnownPassages:
    """The passages of a collection of questions, as hashes: 8 bytes each."""

    def __init__(self, texts: Iterable[str]) -> None:
        hashes = array("q", (hash(passage.words) for text in texts for passage in passages(text)))
        self._hashes = np.unique(np.frombuffer(hashes, np.int64))

    def first_in(self, text: str) -> str | None:
        """Return the first passage of a text that the collection has, too."""
        return next((passage.text for passage in passages(text) if self._has(passage)), None)

    def _has(self, passage: Passage) -> bool:
        place = np.searchsorted(self._hashes, hash(passage.words))
        return bool(place < len(self._hashes) and self._hashes[place] == hash(passage.words))


def passages(text: str) -> Iterator[Passage]:
    """Yield every passage of a text; runs overlap."""
    composed = unicodedata.normalize("NFC", text)
    for place in sentences(composed):
        words = _words(composed, place)
        if SHORTEST_SENTENCE <= len(words) < RUN:
            yield _passage(composed, words)
    words = _words(composed, Place(0, len(composed)))
    for start in range(len(words) - RUN + 1):
        yield _passage(composed, words[start : start + RUN])


def said_twice(text: str) -> str | None:
    """Return the first passage that a text repeats."""
    seen = set()
    for passage in passages(text):
        if passage.words in seen:
            return passage.text
        seen.add(passage.words)
    return None


def _words(text: str, place: Place) -> list[re.Match[str]]:
    return [*_WORD.finditer(text, place.start, place.end)]


def _passage(text: str, words: list[re.Match[str]]) -> Passage:
    return Passage(text[words[0].start() : words[-1].end()], tuple(word.group().casefold() for word in words))
