"""A model as it reads a question word by word, whichever way it guesses."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import ClassVar, Protocol

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.kinds.quizbowl.guesses import GUESSES, Evidence, Guess, Prediction, Query, Turn
from beat_the_ai.kinds.quizbowl.wording import Place, words

BEGINNINGS_KEPT = 20_000


@dataclass(frozen=True)
class Ranking:
    """Pages, the best first, with a model's confidence in them."""

    pages: Sequence[str]
    confidences: Sequence[float]


@dataclass(frozen=True)
class Reasons:
    """Why the best guess is it: see `Prediction`."""

    evidence: Sequence[Evidence] = ()
    saliency: Sequence[float] = ()


class Guesser(Protocol):
    """A model that reads texts and guesses pages."""

    def rankings(self, texts: Sequence[str]) -> Sequence[Ranking]:
        """One for each text, of all pages or of the best; empty for a text that says nothing."""

    def reasons(self, text: str, page: str) -> Reasons:
        """Why it is this page."""


class QuestionReader:
    """Answers queries by a guesser, which is asked once about each beginning of a question.

    Those end with what `stretches` finds, and until the next end nothing new is guessed. A question that is being
    written begins as it did before: what was guessed of its beginnings is kept.
    """

    def __init__(self, guesser: Guesser, stretches: Callable[[str], list[Place]] = words) -> None:
        self._guesser = guesser
        self._stretches = stretches
        self._best: OrderedDict[str, Guess | None] = OrderedDict()

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return [self._predict(query) for query in queries]

    def _predict(self, query: Query) -> Prediction:
        ends = [stretch.end for stretch in self._stretches(query.text)]
        if not ends:
            return Prediction(guesses=[], rank=None, turns=[], confidences=[], evidence=[], saliency=[])
        [ranking] = self._guesser.rankings([query.text])
        guesses = [Guess(page=page, confidence=sure) for page, sure in _best(ranking)]
        reasons = self._guesser.reasons(query.text, guesses[0].page) if guesses else Reasons()
        guessed = self._guessed([query.text[:end] for end in ends])
        course = [guessed[read - 1] if read else None for read in _read(ends, words(query.text))]
        return Prediction(
            guesses=guesses,
            rank=list(ranking.pages).index(query.answer) + 1 if query.answer in ranking.pages else None,
            turns=_turns(course),
            confidences=[guess.confidence if guess is not None else 0.0 for guess in course],
            evidence=list(reasons.evidence),
            saliency=list(reasons.saliency),
        )

    def _guessed(self, beginnings: Sequence[str]) -> list[Guess | None]:
        """The best guess after each."""
        new = [text for text in beginnings if text not in self._best]
        for text, ranking in zip(new, self._guesser.rankings(new) if new else [], strict=True):
            best = next(_best(ranking), None)
            self._best[text] = Guess(page=best[0], confidence=best[1]) if best is not None else None
        guesses = [self._best[text] for text in beginnings]
        for text in beginnings:
            self._best.move_to_end(text)
        while len(self._best) > BEGINNINGS_KEPT:
            self._best.popitem(last=False)
        return guesses


@dataclass(frozen=True)
class GuessingModel:
    """A model of questions behind a guesser, which any number of threads may ask."""

    query_type: ClassVar[type[Query]] = Query

    identity: ModelIdentity
    guesser: Guesser

    def stream(self) -> GuessingModel:
        return GuessingModel(self.identity, self.guesser)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return self._reader.predict(queries)

    @cached_property
    def _reader(self) -> QuestionReader:
        return QuestionReader(self.guesser)


def _read(ends: Sequence[int], each_word: Sequence[Place]) -> Iterator[int]:
    """Yield for each word how many of the ends, which ascend, are reached with it."""
    read = 0
    for word in each_word:
        while read < len(ends) and ends[read] <= word.end:
            read += 1
        yield read


def _best(ranking: Ranking) -> Iterator[tuple[str, float]]:
    return islice(zip(ranking.pages, ranking.confidences, strict=True), GUESSES)


def _turns(course: Sequence[Guess | None]) -> list[Turn]:
    """Return the changes of the best guess. Before the first there is none, and words that say nothing change none."""
    turns: list[Turn] = []
    for number, guess in enumerate(course, start=1):
        if guess is not None and (not turns or turns[-1].page != guess.page):
            turns.append(Turn(word=number, page=guess.page, confidence=guess.confidence))
    return turns
