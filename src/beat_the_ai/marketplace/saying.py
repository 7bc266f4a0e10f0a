"""The messages of the marketplace, in the language of each worker."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path

from beat_the_ai.messages import Said, Speaker, message_of
from beat_the_ai.messages.icu import formatted
from beat_the_ai.rules.amounts import NO_MONEY, SIGNS, show
from beat_the_ai.rules.languages import ENGLISH, direction
from beat_the_ai.words.catalogue import Catalogue, page_words
from beat_the_ai.words.languages import languages_in

WORDS = Path(__file__).parent / "words"
UNITS = (("days", 86_400), ("hours", 3_600), ("minutes", 60))

said = Speaker(WORDS)


@cache
def voices() -> Mapping[str, Voice]:
    """Return the voices of the portal by their languages."""
    return {language: Voice(page_words(language, WORDS)) for language in languages_in(WORDS)}


class Voice:
    """Says messages in one language, and what belongs to them: amounts and times."""

    def __init__(self, words: Catalogue) -> None:
        self.language = words.language
        self.direction = direction(words.language)
        self._messages = words.messages

    def say(self, key: str, /, **arguments: str | int) -> str:
        """Return a message with its arguments. Raises `KeyError` for one that there is not."""
        return formatted(self._messages[key], self.language, **arguments)

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
        return formatted(skeleton, self.language, amount=cents / 100)

    def duration(self, seconds: float) -> str:
        """Return a time in its two largest units, to the minute: "2 hours 5 minutes"."""
        left = max(0, int(seconds))
        if left < 60:
            return self.say("portal.seconds", count=left)
        parts = []
        for unit, size in UNITS:
            count, left = divmod(left, size)
            if count:
                parts.append(self.say(f"portal.{unit}", count=count))
        return " ".join(parts[:2])

    def until(self, left: timedelta) -> str:
        """Return the time that is left."""
        return self.duration(left / timedelta(seconds=1))
