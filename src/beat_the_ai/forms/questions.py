"""The questions of a survey, and which answers to them are allowed."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.text import clean_line

MAX_LINES = 200

Answer = str | int | float | list[str]
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Line = Annotated[str, Field(min_length=1, max_length=500)]


class Question(Value):
    """A question. It is shown only where earlier questions have one of these answers (`shown_when`).

    `expects` makes it an attention check: the answer of whoever reads it. It is never sent to a page.
    """

    id: Id
    text: Line
    required: bool = True
    shown_when: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    expects: str | None = None

    def read(self, given: object) -> Answer:
        """Return the answer as it is kept. Raises `InvalidInput` with words for the person."""
        raise NotImplementedError

    def _refuse(self, reason: str) -> InvalidInput:
        return InvalidInput(self.id, f"“{self.text}”: {reason}")


class Choice(Question):
    """One of the options, or with `several` any number of them."""

    type: Literal["choice"]
    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=100)]
    several: bool = False

    def read(self, given: object) -> Answer:
        chosen = given if isinstance(given, list) and self.several else [given]
        if not chosen or any(one not in self.options for one in chosen) or len(set(map(str, chosen))) != len(chosen):
            raise self._refuse(f"please choose from: {', '.join(self.options)}.")
        ordered = [option for option in self.options if option in chosen]
        return ordered if self.several else ordered[0]


class Scale(Question):
    """A whole number between two named ends."""

    type: Literal["scale"]
    lowest: int = 1
    highest: int = 5
    low_label: str = ""
    high_label: str = ""

    def read(self, given: object) -> Answer:
        if isinstance(given, bool) or not isinstance(given, int) or not self.lowest <= given <= self.highest:
            raise self._refuse(f"please choose a number from {self.lowest} to {self.highest}.")
        return given


class Number(Question):
    """A number, whole unless `decimals`."""

    type: Literal["number"]
    at_least: float | None = None
    at_most: float | None = None
    decimals: bool = False

    def read(self, given: object) -> Answer:
        allowed = isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
        if not allowed or not isinstance(given, int | float) or (not self.decimals and given != int(given)):
            raise self._refuse(f"please write a {'' if self.decimals else 'whole '}number.")
        if self.at_least is not None and given < self.at_least:
            raise self._refuse(f"{given:g} was given; at least {self.at_least:g} is allowed.")
        if self.at_most is not None and given > self.at_most:
            raise self._refuse(f"{given:g} was given; at most {self.at_most:g} is allowed.")
        return float(given) if self.decimals else int(given)


class Text(Question):
    """A free text of several lines."""

    type: Literal["text"]
    max_chars: int = Field(default=1_000, ge=1, le=10_000)

    def read(self, given: object) -> Answer:
        if not isinstance(given, str):
            raise self._refuse("please write a text.")
        if len(given) > 4 * self.max_chars:
            raise self._refuse(f"{len(given):,} characters were given; at most {self.max_chars:,} are allowed.")
        lines = unicodedata.normalize("NFC", given).replace("\r\n", "\n").split("\n")
        if len(lines) > MAX_LINES:
            raise self._refuse(f"{len(lines):,} lines were given; at most {MAX_LINES} are allowed.")
        called = "answer"
        kept = [
            clean_line(self.id, line, max_chars=self.max_chars, called=called) if line.strip() else "" for line in lines
        ]
        text = "\n".join(kept).strip()
        if not text:
            raise self._refuse("please write a text.")
        if len(text) > self.max_chars:
            raise self._refuse(f"{len(text):,} characters were given; at most {self.max_chars:,} are allowed.")
        return text


class Date(Question):
    """A day, as YYYY-MM-DD."""

    type: Literal["date"]

    def read(self, given: object) -> Answer:
        try:
            return date.fromisoformat(given if isinstance(given, str) and len(given) == 10 else "").isoformat()
        except ValueError:
            raise self._refuse("please write a date as YYYY-MM-DD.") from None


AnyQuestion = Annotated[Choice | Scale | Number | Text | Date, Field(discriminator="type")]


def is_shown(question: Question, answers: Mapping[str, Any]) -> bool:
    """Return whether a question is shown to somebody who has given these answers to the questions before it."""
    return all(_has(answers.get(name), wanted) for name, wanted in question.shown_when.items())


def _has(answer: Any, wanted: tuple[str, ...]) -> bool:
    given = answer if isinstance(answer, list) else [answer]
    return any(str(one) in wanted for one in given if one is not None)
