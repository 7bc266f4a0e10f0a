"""Messages for a worker: in English for logs and commands, and as keys that the worker's page says.

A server does not know which language a page is in. So it sends keys with arguments, and the page says them in its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from beat_the_ai.messages.icu import formatted

ENGLISH = "en"
WORDS = Path(__file__).parents[1] / "words" / "page"

Argument = str | int


class Sentence(BaseModel):
    """A message by its key, with arguments; without a key, `text` stands for itself."""

    model_config = ConfigDict(frozen=True)

    key: str = ""
    arguments: Mapping[str, Argument] = {}
    text: str = ""


class Said(str):
    """A text in English that knows the messages it was made of. Everywhere else it is a text like any other."""

    sentences: Sequence[Sentence]

    def __new__(cls, text: str, sentences: Sequence[Sentence] = ()) -> Self:
        """Return the text with its messages."""
        made = super().__new__(cls, text)
        made.sentences = tuple(sentences)
        return made


class Speaker:
    """Says the messages of a folder of words (`en/AREA.json`). Each key of a message begins with its area."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, key: str, /, **arguments: Argument) -> Said:
        """Return a message with its arguments. Raises `KeyError` for one that the folder does not have in English."""
        area, _, name = key.partition(".")
        text = formatted(_english(self._folder / ENGLISH / f"{area}.json")[name], ENGLISH, **arguments)
        return Said(text, (Sentence(key=key, arguments=arguments),))


said = Speaker(WORDS)


def joined(texts: Iterable[str]) -> Said:
    """Return several texts as one, a space between them."""
    several = list(texts)
    return Said(" ".join(several), [sentence for text in several for sentence in sentences(text)])


def sentences(text: str) -> Sequence[Sentence]:
    """Return the messages of a text; one that knows none, such as a requester's, stands for itself."""
    return text.sentences if isinstance(text, Said) else (Sentence(text=text),)


def message_of(error: Exception) -> str:
    """Return the message of an error, with the messages that it was made of where it has any."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Said) else str(error)


def told(text: str) -> dict[str, Any]:
    """Return a text as a page gets it: in English, and as the messages that it was made of where it has any."""
    return {"message": text, **({"said": sent(text)} if isinstance(text, Said) else {})}


def sent(text: str) -> list[dict[str, Any]]:
    """Return the messages of a text as a page gets them."""
    return [sentence.model_dump(exclude_defaults=True) for sentence in sentences(text)]


@cache
def _english(file: Path) -> Mapping[str, str]:
    messages: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return messages
