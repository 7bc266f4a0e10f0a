"""Texts that are alike: they share most runs of three words. MinHash finds them (Broder 1997)."""

from __future__ import annotations

from rensa import RMinHash, RMinHashLSH

from beat_the_ai.rules.text import words_of

RUN = 3  # words
ALIKE = 0.5  # estimated share of common runs
PERMUTATIONS, BANDS, SEED = 128, 32, 7


class AlikeTexts:
    """Texts by their runs of words, numbered as they are added."""

    def __init__(self) -> None:
        self._hashes = RMinHashLSH(ALIKE, PERMUTATIONS, BANDS)
        self._kept: list[RMinHash] = []

    def add(self, text: str) -> None:
        hashed = _hashed(text)
        self._hashes.insert(len(self._kept), hashed)
        self._kept.append(hashed)

    def alike(self, text: str) -> list[int]:
        """Return the numbers of the texts that are alike, in order; what the index finds is only probably so."""
        hashed = _hashed(text)
        near = sorted(self._hashes.query(hashed))
        return [number for number in near if self._kept[number].jaccard(hashed) >= ALIKE]


def _hashed(text: str) -> RMinHash:
    words = words_of(text)
    runs = {" ".join(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))}
    hashed = RMinHash(PERMUTATIONS, SEED)
    hashed.update(sorted(runs))
    return hashed
