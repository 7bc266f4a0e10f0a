"""The floor for what is text about a context, in screenings and in writing alike: checks that need no model.

They are generous, since whoever is refused cannot argue. What is above the floor may still be nonsense; that is for
reviewers and validators. Checks that know English are left out where the context is in another language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds import english
from beat_the_ai.kinds.scripts import TEXTS_REMEMBERED, is_unspaced, script, scripts_of

QUOTED_WORDS = 3
_WORD = re.compile(r"[^\W_](?:[\w'’]*[^\W_])?")


@dataclass(frozen=True)
class TextFloor:
    """`min_words` in scripts without spaces are characters. At least `min_known_share` of the words have to be known:
    to a list of words, or from the context; numbers are. `shape` asks for what a subclass wants of an English
    sentence, `script` for letters that the context has. Of data that are not `english`, only `script` is asked.
    """

    called: ClassVar[str] = "text"

    min_words: int = 3
    min_known_share: float = 0.5
    shape: bool = True
    script: bool = True
    english: bool = True

    def __post_init__(self) -> None:
        if self.min_words < 1:
            raise InvalidInput(f"min_{self.called}_words", f"{self.min_words} was given; at least 1 is needed.")
        if not 0 <= self.min_known_share <= 1:
            raise InvalidInput("min_known_share", f"{self.min_known_share} was given; it must be between 0 and 1.")

    def flaw(self, text: str, context: str) -> str | None:
        """Say why this is no such text about the context, and what to do; None if it may be one."""
        words = words_of(text)
        if self.english and len(words) < self.min_words:
            return self._said("short", least=self.min_words)
        if self.script and not _has_letters_of(text, context):
            return self._said("letters")
        if not self.english or not _in_english(context):
            return None
        unknown = [word for word in words if not _is_known(word, context)]
        if len(words) - len(unknown) < self.min_known_share * len(words):
            quoted = ", ".join(unknown[:QUOTED_WORDS])
            return self._said("unknown", words=quoted)
        return self._flawed_shape(text, context) if self.shape else None

    def _said(self, flaw: str, **arguments: str | int) -> str:
        """Say a flaw to the writer."""
        raise NotImplementedError

    def _flawed_shape(self, text: str, context: str) -> str | None:
        """Say what is wrong with an English sentence; None if nothing is."""
        del text, context
        return None


def words_of(text: str) -> list[str]:
    """Without case and punctuation; in scripts without spaces every character is one."""
    return [part for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()) for part in _parts(word)]


def _parts(word: str) -> Iterator[str]:
    if any(map(is_unspaced, word)):
        yield from (char for char in word if char.isalnum())
    else:
        yield word.replace("’", "'")


def stem(word: str) -> str:
    """Return a word without what an apostrophe parts from it."""
    return word.partition("'")[0]


def _is_known(word: str, context: str) -> bool:
    if any(char.isdigit() for char in word):
        return True
    return any(form in words_of_context(context) or form in english.known_words() for form in (word, stem(word)))


@lru_cache(TEXTS_REMEMBERED)
def words_of_context(context: str) -> frozenset[str]:
    """Return the words of a context, and their stems."""
    return frozenset(form for word in words_of(context) for form in (word, stem(word)))


@lru_cache(TEXTS_REMEMBERED)
def _in_english(context: str) -> bool:
    return english.is_english(words_of(context))


def _has_letters_of(text: str, context: str) -> bool:
    """Say whether most letters are in the context's scripts, and no new word mixes scripts to look like another one."""
    scripts = scripts_of(context)
    letters = [char for char in text if char.isalpha()]
    if 2 * sum(script(char) in scripts for char in letters) < len(letters):
        return False
    return not any(
        len(set(map(script, filter(str.isalpha, word)))) > 1 and word not in words_of_context(context)
        for word in words_of(text)
    )
