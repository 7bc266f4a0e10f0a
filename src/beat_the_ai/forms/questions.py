"""The questions of a survey, and which answers to them are allowed."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages import said
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.text import clean_line

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_LINES = 200
MAX_STEPS = 21
MAX_DIGITS = 15
MAX_NUMBER = 10**MAX_DIGITS  # pages are exact up to 2**53

Answer = str | int | float | list[str]


def _as_text(value: object) -> object:
    """Return a whole number of YAML as the text that it was written as. Raises `ValueError` for what is no text."""
    match value:
        case bool() | float():
            raise ValueError('put it in quotes, as in "Yes" or "1.0": YAML reads it as a switch or a number')
        case int():
            return str(value)
        case _:
            return value


AS_TEXT = BeforeValidator(_as_text)

Written = Annotated[str, AS_TEXT]
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), AS_TEXT]
Step = Annotated[int, Field(ge=-10_000, le=10_000)]
Limit = Annotated[float, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]


class Question(Value):
    """A question. It is shown only if earlier choices and scales have one of these answers (`shown_when`).

    `expects` makes it an attention check: the answer of everybody who reads it. It is never sent to a page.
    """

    id: Id
    text: Line
    required: bool = True
    shown_when: Mapping[str, Annotated[tuple[Line, ...], Field(min_length=1)]] = Field(default_factory=dict)
    expects: Written | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_limits()
        if self.expects is not None:
            try:
                self.read(self._meant(self.expects))
            except InvalidInput as error:
                raise ValueError(
                    f"{self.id} expects {self.expects[:80]!r}, which nobody can answer ({error}) Change `expects` to "
                    "an allowed answer"
                ) from None
        return self

    def read(self, given: object) -> Answer:
        """Return the answer as it is kept. Raises `InvalidInput` with words for the person."""
        raise NotImplementedError

    def conditions(self) -> Collection[str]:
        """Return the answers on which a later question may depend."""
        return ()

    def is_failed(self, answer: Answer) -> bool:
        """Return whether this is an attention check that the answer fails. Case does not matter."""
        return self.expects is not None and (
            str(answer).casefold() != str(self.read(self._meant(self.expects))).casefold()
        )

    def _check_limits(self) -> None:
        """Raise `ValueError` if nobody can answer the question."""

    def _meant(self, expects: str) -> object:
        """Return the answer that a page would send for `expects`."""
        return expects

    def _refuse(self, key: str, **arguments: str | int) -> InvalidInput:
        return InvalidInput(self.id, said(f"refusals.form.{key}", question=self.text, **arguments))


class Choice(Question):
    """One of the options, or with `several` any number of them."""

    type: Literal["choice"]
    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=100)]
    several: bool = False

    def conditions(self) -> Collection[str]:
        return self.options

    def _check_limits(self) -> None:
        if twice := next((one for one in self.options if self.options.count(one) > 1), None):
            raise ValueError(f"{self.id} has the option {twice!r} twice. Remove one of them")
        if self.several and self.expects is not None:
            raise ValueError(f"{self.id} has both `several` and `expects`, which is one answer. Remove one of them")

    def _meant(self, expects: str) -> object:
        wanted = expects.strip().casefold()
        return next((option for option in self.options if option.casefold() == wanted), expects)

    def read(self, given: object) -> Answer:
        chosen = given if isinstance(given, list) and self.several else [given]
        if not chosen or any(one not in self.options for one in chosen) or len(set(map(str, chosen))) != len(chosen):
            raise self._refuse("choose", options=", ".join(self.options))
        ordered = [option for option in self.options if option in chosen]
        return ordered if self.several else ordered[0]


class Scale(Question):
    """A whole number between two named ends."""

    type: Literal["scale"]
    lowest: Step = 1
    highest: Step = 5
    low_label: Written = ""
    high_label: Written = ""

    def conditions(self) -> Collection[str]:
        return [str(step) for step in range(self.lowest, self.highest + 1)]

    def _check_limits(self) -> None:
        steps = self.highest - self.lowest + 1
        if not 2 <= steps <= MAX_STEPS:
            raise ValueError(
                f"{self.id} goes from lowest {self.lowest} to highest {self.highest}. A scale has 2 to {MAX_STEPS} "
                "steps: change `lowest` or `highest`, or ask for a number"
            )

    def _meant(self, expects: str) -> object:
        return _number(expects)

    def read(self, given: object) -> Answer:
        if isinstance(given, bool) or not isinstance(given, int) or not self.lowest <= given <= self.highest:
            raise self._refuse("scale", least=self.lowest, most=self.highest)
        return given


class Number(Question):
    """A number, whole unless `decimals`."""

    type: Literal["number"]
    at_least: Limit | None = None
    at_most: Limit | None = None
    decimals: bool = False

    def _check_limits(self) -> None:
        if self.at_least is None or self.at_most is None:
            return
        lowest, highest = self.at_least, self.at_most
        if not self.decimals:
            lowest, highest = math.ceil(lowest), math.floor(highest)
        if lowest > highest:
            raise ValueError(
                f"{self.id} takes no number: none is at least {self.at_least:g} and at most {self.at_most:g}. Change "
                "`at_least` or `at_most`"
            )

    def _meant(self, expects: str) -> object:
        return _number(expects)

    def read(self, given: object) -> Answer:
        kind = "number" if self.decimals else "whole"
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise self._refuse(kind)
        if not -MAX_NUMBER <= given <= MAX_NUMBER:
            raise self._refuse(f"{kind}.digits", most=MAX_DIGITS)
        if not self.decimals and given != int(given):
            raise self._refuse(kind)
        if self.at_least is not None and given < self.at_least:
            raise self._refuse("least", given=f"{given:g}", least=f"{self.at_least:g}")
        if self.at_most is not None and given > self.at_most:
            raise self._refuse("most", given=f"{given:g}", most=f"{self.at_most:g}")
        return float(given) if self.decimals else int(given)


class Text(Question):
    """A free text of several lines."""

    type: Literal["text"]
    max_chars: int = Field(default=1_000, ge=1, le=10_000)

    def read(self, given: object) -> Answer:
        if not isinstance(given, str):
            raise self._refuse("text")
        if len(given) > 4 * self.max_chars:
            raise self._refuse("long", count=len(given), most=self.max_chars)
        lines = unicodedata.normalize("NFC", given).replace("\r\n", "\n").split("\n")
        if len(lines) > MAX_LINES:
            raise self._refuse("lines", count=len(lines), most=MAX_LINES)
        called = "answer"
        kept = [
            clean_line(self.id, line, max_chars=self.max_chars, called=called) if line.strip() else "" for line in lines
        ]
        text = "\n".join(kept).strip()
        if not text:
            raise self._refuse("text")
        if len(text) > self.max_chars:
            raise self._refuse("long", count=len(text), most=self.max_chars)
        return text


class Date(Question):
    """A day, as YYYY-MM-DD."""

    type: Literal["date"]

    def read(self, given: object) -> Answer:
        try:
            return date.fromisoformat(given if isinstance(given, str) and len(given) == 10 else "").isoformat()
        except ValueError:
            raise self._refuse("date") from None


AnyQuestion = Annotated[Choice | Scale | Number | Text | Date, Field(discriminator="type")]


def check_order(questions: Sequence[Question]) -> None:
    """Raise `ValueError` for two questions of one name, and for one that depends on an answer that nobody can give."""
    before: dict[str, Question] = {}
    for question in questions:
        if question.id in before:
            raise ValueError(f"two questions are called {question.id}. Rename one of them")
        for name, wanted in question.shown_when.items():
            if name not in before:
                raise ValueError(
                    f"{question.id} is shown after {name}, which is no question before it. Move one of them"
                )
            allowed = before[name].conditions()
            if not allowed:
                raise ValueError(
                    f"{question.id} depends on {name}, which is no choice and no scale. Let it depend on one of these"
                )
            if unknown := [one for one in wanted if one not in allowed]:
                raise ValueError(
                    f"{question.id} is shown when {name} is {unknown[0][:80]!r}, which is no answer to it. "
                    f"Choose from: {', '.join(allowed)}"
                )
        before[question.id] = question


def _number(text: str) -> object:
    """Return the number that a text is, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def is_met(shown_when: Mapping[str, Collection[str]], answers: Mapping[str, Any]) -> bool:
    """Return whether a question is shown to somebody who has given these answers to the questions before it.

    The page's `answers.ts` has the same rule; `webapp/src/forms/shown.json` has cases for both.
    """
    return all(_has(answers.get(name), wanted) for name, wanted in shown_when.items())


def _has(answer: Any, wanted: Collection[str]) -> bool:
    given = answer if isinstance(answer, list) else [answer]
    return any(str(one) in wanted for one in given if one is not None)
