"""What reviewers look at before it counts: vulgar words, and repeats ("Trick Me If You Can", §4.1).

A repeat shares most runs of three words with another question of the campaign, or of a collection that models are
trained or measured on; MinHash finds it (Broder 1997). Length is a rule that no appeal is against (`writing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from threading import Lock

from better_profanity import Profanity
from rensa import RMinHash, RMinHashLSH

from beat_the_ai.kinds.quizbowl.collection import questions_of
from beat_the_ai.kinds.quizbowl.writing import Work
from beat_the_ai.rules.protocol import Json, Piece

RUN = 3  # words
ALIKE = 0.5  # estimated share of common runs
PERMUTATIONS, BANDS, SEED = 128, 32, 7
VULGAR = "A list of vulgar words has one of this question's ({word})."
REPEATED = "Much of this question has been written before, in {where}."
HERE, KNOWN = "this campaign", "a collection of questions that models know"
ORDINARY_WORDS = Path(__file__).parent / "ordinary_words.txt"  # that the list has, and questions on history and biology
_WORD = re.compile(r"\w+")


class QuestionFilters:
    """Of a campaign with these works so far, and of collections with these questions."""

    def __init__(self, works: Iterable[Json] = (), known: Iterable[str] = ()) -> None:
        self._lock = Lock()
        self._indexes = {HERE: _Index(), KNOWN: _Index()}
        for text in known:
            self._indexes[KNOWN].add(text)
        for work in works:
            self.remember(work)

    @classmethod
    def with_collections(cls, sources: Iterable[str], works: Iterable[Json]) -> QuestionFilters:
        """Raises `InvalidInput` for a source that is not there, or cannot be read."""
        return cls(works, (question.text for question in questions_of(sources, "known_questions")))

    def about(self, work: Work, piece: Piece) -> Sequence[str]:
        word = _vulgar_word(work.text)
        doubts = [] if word is None else [VULGAR.format(word=word)]
        with self._lock:
            doubts += [REPEATED.format(where=where) for where, index in self._indexes.items() if index.has(work.text)]
        return doubts

    def remember(self, work: Json) -> None:
        with self._lock:
            self._indexes[HERE].add(str(work["text"]))


class _Index:
    """Texts by their runs of words."""

    def __init__(self) -> None:
        self._hashes = RMinHashLSH(ALIKE, PERMUTATIONS, BANDS)
        self._kept: list[RMinHash] = []

    def add(self, text: str) -> None:
        hashed = _hashed(text)
        self._hashes.insert(len(self._kept), hashed)
        self._kept.append(hashed)

    def has(self, text: str) -> bool:
        """One that is alike; what the index finds is only probably so."""
        hashed = _hashed(text)
        return any(self._kept[number].jaccard(hashed) >= ALIKE for number in self._hashes.query(hashed))


def _hashed(text: str) -> RMinHash:
    words = _WORD.findall(text.casefold())
    runs = {" ".join(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))}
    hashed = RMinHash(PERMUTATIONS, SEED)
    hashed.update(sorted(runs))
    return hashed


def _vulgar_word(text: str) -> str | None:
    return next((word for word in _WORD.findall(text) if _list().contains_profanity(word)), None)


@cache
def _list() -> Profanity:
    listed = Profanity()
    listed.load_censor_words(whitelist_words=ORDINARY_WORDS.read_text("utf-8").split())
    return listed
