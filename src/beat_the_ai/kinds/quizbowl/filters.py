"""Filters of questions for reviewers: vulgar words, repeats, nonsense ("Trick Me If You Can", §4.1).

A repeat is much like another question of the campaign, or of a known collection (`likeness`). A known collection is
one that models are trained or measured on. A copied sentence makes a question doubtful, even if everything else is new.
Nonsense repeats itself, or has no word that is known about its answer. Length is a rule without appeal (`writing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from better_profanity import Profanity

from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.passages import KnownPassages, said_twice
from beat_the_ai.kinds.quizbowl.retrieval import Retrieval, Source, stemmed
from beat_the_ai.kinds.quizbowl.saying import said
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from beat_the_ai.rules.likeness import AlikeTexts
from beat_the_ai.rules.protocol import Json, TaskItem

HERE, KNOWN = "here", "known"  # this campaign; a collection of questions that models are trained or measured on
CLUES = 3  # words of known questions on the answer, other than ordinary ones; fewer where fewer questions are known
WORDS_KEPT = 1 << 16
ORDINARY_WORDS = Path(__file__).parent / "ordinary_words.txt"  # that the list has, and questions on history and biology
_WORD = re.compile(r"\w+")


class QuestionFilters:
    """The filters of a campaign with these works so far, and with the questions of known collections.

    The lists of vulgar words and of small words, and the stems of all others, are English.
    """

    def __init__(self, works: Iterable[Json] = (), known: Sequence[Question] = (), *, english: bool = True) -> None:
        self._english = english
        self._lock = Lock()
        self._indexes = {HERE: AlikeTexts(), KNOWN: AlikeTexts()}
        for question in known:
            self._indexes[KNOWN].add(question.text)
        self._passages = KnownPassages(question.text for question in known)
        self._collection = Retrieval.build(Source(question.page, question.text) for question in known if question.page)
        for work in works:
            self.remember(work)

    @classmethod
    def of(cls, writing: QuestionWriting, works: Iterable[Json], *, english: bool = True) -> QuestionFilters:
        """Raises `InvalidInput` for a collection that is not there, or cannot be read."""
        return cls(works, writing.known(), english=english)

    def about(self, work: Work, task_item: TaskItem) -> Sequence[str]:
        return [*(_vulgar(work) if self._english else []), *self._repeated(work), *self._nonsense(work)]

    def remember(self, work: Json) -> None:
        with self._lock:
            self._indexes[HERE].add(str(work["text"]))

    def _repeated(self, work: Work) -> Iterator[str]:
        with self._lock:
            yield from [
                _doubt("repeated", where=where) for where, index in self._indexes.items() if index.alike(work.text)
            ]
        if (passage := self._passages.first_in(work.text)) is not None:
            yield _doubt("copied", passage=passage)

    def _nonsense(self, work: Work) -> Iterator[str]:
        if (passage := said_twice(work.text)) is not None:
            yield _doubt("said_twice", passage=passage)
        if self._english and self._lacks_clues(work):
            yield _doubt("no_clue", answer=page_title(work.answer))

    def _lacks_clues(self, work: Work) -> bool:
        """False where no question on the answer is known."""
        texts = self._collection.texts(work.answer)
        shared = set(stemmed(work.text)).intersection(stemmed(" ".join(texts)))
        return sum(not self._collection.is_ordinary(stem) for stem in shared) < min(CLUES, len(texts))


def _doubt(key: str, **arguments: str) -> str:
    return said(f"quizbowl_refusals.doubt.{key}", **arguments)


def _vulgar(work: Work) -> list[str]:
    word = next((word for word in _WORD.findall(work.text) if _is_listed(word)), None)
    return [] if word is None else [_doubt("vulgar", word=word)]


@lru_cache(WORDS_KEPT)
def _is_listed(word: str) -> bool:
    return bool(_list().contains_profanity(word))  # 2 ms a word


@cache
def _list() -> Profanity:
    listed = Profanity()
    listed.load_censor_words(whitelist_words=ORDINARY_WORDS.read_text("utf-8").split())
    return listed
