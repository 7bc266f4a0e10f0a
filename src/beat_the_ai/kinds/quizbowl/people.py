"""Simulated authors, who start from a question that is known and take out what gives its answer away.

What an answer is asked about they know from the questions that stand with it (`Answer.questions`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from beat_the_ai.kinds.quizbowl.answers import Answer, name_within
from beat_the_ai.kinds.quizbowl.writing import answers_of
from beat_the_ai.rules.kind import Judgement
from beat_the_ai.rules.protocol import Context, Json, Piece
from beat_the_ai.simulation import manners

NONSENSE = "This thing is very good and nice, and many people like it a lot because it is so good."
SENTENCES_OF_NONSENSE = 8
MOST_WORKS = 10
STEP = 3  # names that are taken out from one work to the next
KNOWN_SHARE = 0.3  # of a question's words that stand in a known one on its answer
Share = Annotated[float, Field(ge=0, le=1)]
_NAME = re.compile(r"(?<![.!?] )(?<!^)(?:\b[A-Z][\w'’-]+(?: (?:of|the|de|van|von) (?=[A-Z])| (?=[A-Z]))?)+")
_WORD = re.compile(r"\w+")
_STAND_INS = ("a certain one", "that one", "somebody or something well known", "another")


@dataclass(frozen=True)
class Author:
    """`error_rate`: how often the question is about another answer than the one that is named."""

    error_rate: Share


AUTHORS: Mapping[str, Author] = {manners.GOOD: Author(0.02), manners.SLOPPY: Author(0.5)}


@dataclass(frozen=True)
class Authors:
    """By manner; those whose manner is not among them hand in a known question as it is, or nonsense."""

    authors: Mapping[str, Author] = field(default_factory=lambda: AUTHORS)

    def works(
        self, manner: str, piece: Piece, chance: random.Random, memory: Sequence[Judgement] = ()
    ) -> Iterator[Json]:
        del memory
        known = [answer for answer in answers_of(piece.context) if answer.questions]
        answer = chance.choice(known)
        if manner in self.authors:
            about = answer
            if chance.random() < self.authors[manner].error_rate:
                about = chance.choice([each for each in known if each.page != answer.page] or known)
            texts: Iterable[str] = _disguises(chance.choice(about.questions), chance)
        elif manner == manners.COPYING:
            texts = answer.questions
        else:
            texts = (f"{NONSENSE} " * SENTENCES_OF_NONSENSE + f"Name it, number {n}." for n in range(MOST_WORKS))
        return ({"text": text, "answer": answer.page} for text in texts)

    def explanation(self, work: Json, piece: Piece) -> Json:
        return {}  # nobody asks for any

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        return {}  # nobody votes

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Whether the question is about something else than its answer, or about nothing."""
        answer = next((each for each in answers_of(context) if each.page == work["answer"]), None)
        return answer is None or not _is_about(work["text"], answer)


def _disguises(question: str, chance: random.Random) -> Iterator[str]:
    """A question with more and more of its names taken out, the last ones first: they give most away."""
    yield question
    names = [match for match in _NAME.finditer(question) if match.group() not in ("For", "FTP")]
    for count in range(STEP, STEP * MOST_WORKS, STEP):
        text = question
        for match in reversed(names[max(0, len(names) - count) :]):
            text = f"{text[: match.start()]}{chance.choice(_STAND_INS)}{text[match.end() :]}"
        yield text
        if count >= len(names):
            return


def _is_about(text: str, answer: Answer) -> bool:
    if name_within(answer, text) is not None:
        return False
    stems = {word.casefold() for word in _WORD.findall(text)}
    return any(
        len(stems & {word.casefold() for word in _WORD.findall(known)}) >= KNOWN_SHARE * len(stems)
        for known in answer.questions
    )
