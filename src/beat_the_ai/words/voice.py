"""A voice: the messages of a catalogue as a server says them, with amounts as the language writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from markupsafe import Markup, escape

from beat_the_ai.messages import Said, message_of
from beat_the_ai.messages.icu import formatted
from beat_the_ai.rules.amounts import NO_MONEY, SIGNS, show
from beat_the_ai.rules.languages import ENGLISH, direction
from beat_the_ai.words.catalogue import Catalogue, page_words
from beat_the_ai.words.languages import languages_in

MARKS = "\ue000\ue001\ue002"  # of private use: they stand for elements in a message
LEFT_TO_RIGHT = "\u200e"  # without it the dollar of "US$" would leave its letters in text from the right

VoiceT = TypeVar("VoiceT")


def voices_in(folder: Path, voice: Callable[[Catalogue], VoiceT]) -> Mapping[str, VoiceT]:
    """Return the voices of a folder of words by their languages."""
    return {language: voice(page_words(language, folder)) for language in languages_in(folder)}


class Voice:
    """Says messages in one language. What it says is text: a page escapes it."""

    def __init__(self, words: Catalogue) -> None:
        self.language = words.language
        self.direction = direction(words.language)
        self._messages = words.messages

    def say(self, key: str, /, **arguments: str | int) -> str:
        """Return a message with its arguments. Raises `KeyError` for one that there is not."""
        return formatted(self._messages[key], self.language, **arguments)

    def say_with(self, key: str, /, **parts: Markup) -> Markup:
        """Return a message with elements in it. What the message says is escaped."""
        marks = dict(zip(parts, MARKS, strict=False))
        by_mark = {mark: str(parts[name]) for name, mark in marks.items()}
        return Markup("".join(by_mark.get(char, char) for char in str(escape(self.say(key, **marks)))))  # noqa: S704

    def told(self, what: str | Exception) -> str:
        """Return a text or an error by the messages that it was made of; any other as it stands."""
        text = message_of(what) if isinstance(what, Exception) else what
        if not isinstance(text, Said):
            return text
        return " ".join(
            self.say(sentence.key, **sentence.arguments) if sentence.key else sentence.text
            for sentence in text.sentences
        )

    def amount(self, cents: int, unit: str) -> str:
        """Return an amount in its unit as the language writes it: $2.00, in German 2,00 $."""
        if self.language == ENGLISH:
            return show(cents, unit)
        if unit in NO_MONEY:
            message = self._messages["work.points" if unit == "points" else "work.hours_earned"]
            return formatted(message, self.language, count=cents / 100)
        width = "narrow" if unit in SIGNS else "iso-code"
        skeleton = f"{{amount, number, ::currency/{unit} unit-width-{width} .00}}"
        amount = formatted(skeleton, self.language, amount=cents / 100)
        return f"{amount}{LEFT_TO_RIGHT}" if self.direction == "rtl" else amount
