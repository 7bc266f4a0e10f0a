"""The common parts of quiz files, whatever they ask of newcomers (`rules.screening`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.files.data_file import read_data_file
from beat_the_ai.rules.protocol import Context, Json, Value

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,80}$")]
Text = Annotated[str, Field(pattern=r"\S")]


class QuizText(Value):
    """The text that steps of a quiz are about, such as a passage or a premise."""

    title: Text
    text: Text


class QuizFile(Value):
    """A whole quiz: what every one has."""

    name: Name
    tries_per_step: int = Field(default=3, ge=1)

    @cached_property
    def digest(self) -> str:
        """Names the exact content, for those who later ask which quiz a worker took."""
        return sha256(self.model_dump_json().encode()).hexdigest()


QuizT = TypeVar("QuizT", bound=QuizFile)


def read_quiz(path: Path, quiz_type: type[QuizT], check: Callable[[QuizT], None]) -> QuizT:
    """A quiz that `check` has nothing to say against.

    Raises `InvalidInput` that says where in the file and what is wrong there.
    """
    quiz = read_data_file(path, quiz_type, "quiz")
    try:
        check(quiz)
    except BeatTheAIError as error:
        raise InvalidInput("quiz", f"The quiz {path} is not as it should be. {error}") from None
    return quiz


def check_texts(texts: Mapping[str, QuizText], word: str, used: Iterable[tuple[str, str]]) -> None:
    """Check that passages can be stored, and that there is one for each of `used`, by place in the quiz and name."""
    for place, name in used:
        if name not in texts:
            known = ", ".join(sorted(texts)) or "none"
            raise InvalidInput("quiz", f"{place}: there is no {word} {name!r}. The quiz has: {known}.")
    for name, each in texts.items():
        if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in each.title + each.text):
            raise InvalidInput("quiz", f"{word}s.{name} has a NUL or a lone surrogate, which no store can keep.")


def hint(hints: Sequence[str], number: int) -> str | None:
    """After the mistake of that number, counted from 0: the last one stays."""
    return hints[min(number, len(hints) - 1)] if hints else None


def shown(text: Context) -> Json:
    """A text of a quiz as its page gets it."""
    return {"id": text.id, "title": text.title, "text": text.text}
