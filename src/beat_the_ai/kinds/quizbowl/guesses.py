"""The query about a question, and the model's prediction: guesses, the point of its decision, and its reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import ClassVar

from pydantic import Field

from beat_the_ai.kinds.quizbowl.wording import Place, sentences, words
from beat_the_ai.rules.protocol import Value

GUESSES = 5  # that authors see ("Trick Me If You Can", §3.4)
MOST_STRETCHES, MOST_STOPS = 12, 4


class Query(Value):
    """A question as far as it is written. `answer` is the page whose rank is wanted, `names` are what people call it.

    A model must use neither for its guesses: they tell which of them is right. `stops` are numbers of words after which
    the best guess is wanted, of a model that is not asked after every word, too.
    """

    most_parts: ClassVar[int] = MOST_STRETCHES + MOST_STOPS

    text: str
    answer: str
    names: list[str] = Field(default_factory=list)
    stops: list[int] = Field(default_factory=list, max_length=MOST_STOPS)

    @property
    def parts(self) -> int:
        return len(stretches(self.text, self.stops))


class Guess(Value):
    """A page, and the model's confidence in it: over all pages it sums to 1."""

    page: str
    confidence: float = Field(ge=0, le=1)


class Turn(Value):
    """From the `word`-th word on (counted from 1) this is the best guess."""

    word: int = Field(ge=1)
    page: str
    confidence: float = Field(ge=0, le=1, description="the confidence at that word")


class Mark(Value):
    """A stretch of a text, in code points."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Evidence(Value):
    """The evidence of the best guess for one sentence of the question: a text of that page, and the shared words."""

    sentence: Mark
    page: str
    text: str
    source: str = Field(description="the kind of text, such as quizbowl or wikipedia")
    matches: list[Mark] = Field(description="the matching places in the question")
    highlights: list[Mark] = Field(description="the matching places in the evidence")


class Prediction(Value):
    """A model's prediction for a whole question; nothing of one without words."""

    guesses: list[Guess] = Field(description="the five best guesses, best first")
    rank: int | None = Field(description="the rank of the answer, from 1; empty if the model does not know it")
    turns: list[Turn] = Field(description="the best guess at each word where it changes")
    confidences: list[float] = Field(
        description="the confidence in the best guess after each word; 0 before the first guess"
    )
    evidence: list[Evidence] = Field(description="the evidence for each sentence that has any")
    saliency: list[float] = Field(description="each word's contribution to the best guess; empty if it is not known")

    def guess_at(self, word: int) -> str | None:
        """The best guess when so many words are read; None before the first."""
        return next((turn.page for turn in reversed(self.turns) if turn.word <= word), None)

    def first_right(self, page: str) -> int | None:
        """Return the word at which the best guess is this page for the first time ("Trick Me", §3.4)."""
        return next((turn.word for turn in self.turns if turn.page == page), None)

    def right_from(self, page: str) -> int | None:
        """Return the word from which on the best guess is this page until the end."""
        last = self.turns[-1] if self.turns else None
        return last.word if last is not None and last.page == page else None


def stretches(text: str, stops: Iterable[int] = ()) -> list[Place]:
    """After each of which a language model guesses: sentences, or several together where there are many.

    They end at `stops`, too, which are numbers of words.
    """
    found = sentences(text)
    each = -(-len(found) // MOST_STRETCHES) or 1
    read, last = words(text), len(found) - 1
    ends = {place.end for number, place in enumerate(found) if (last - number) % each == 0}
    ends |= stop_ends(text, stops)
    starts = [word.start for word in read]
    begin, parts = 0, []
    for end in sorted(ends):
        parts.append(Place(starts[bisect_left(starts, begin)], end))
        begin = end
    return parts


def stop_ends(text: str, stops: Iterable[int]) -> set[int]:
    """Return where so many words of the text end; none for numbers that it does not have."""
    read = words(text)
    return {read[stop - 1].end for stop in stops if 0 < stop <= len(read)}
