"""The floor for what a question is, in screenings and in writing alike: checks that need no model.

They are generous, since whoever is refused cannot argue: of SQuAD's questions one in 300 falls through. What is above
the floor may still be nonsense; that is for reviewers. Checks that know English are left out where the passage is in
another language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import english
from beat_the_ai.kinds.reading_comprehension.borders import is_unspaced

PASSAGES_REMEMBERED = 64
QUOTED_WORDS = 3
_WORD = re.compile(r"[^\W_](?:[\w'’]*[^\W_])?")
_BLANK, _GAP = re.compile(r"_{2,}|\.{4,}"), "0gap0"
_ONE_SCRIPT = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK", "BOPOMOFO": "CJK"}


@dataclass(frozen=True)
class QuestionFloor:
    """`min_words` in scripts without spaces are characters. At least `min_known_share` of the words have to be known:
    to a list of words, or from the passage; numbers are. `shape` asks for a question word, an auxiliary or a demand
    ("Name the river that …") and for words that belong together, `script` for letters that the passage has.
    """

    min_words: int = 3
    min_known_share: float = 0.5
    shape: bool = True
    script: bool = True

    def __post_init__(self) -> None:
        if self.min_words < 1:
            raise InvalidInput("min_question_words", f"{self.min_words} was given; at least 1 is needed.")
        if not 0 <= self.min_known_share <= 1:
            raise InvalidInput("min_known_share", f"{self.min_known_share} was given; it must be between 0 and 1.")

    def flaw(self, question: str, passage: str) -> str | None:
        """Why this is no question about the passage, and what to do; None if it may be one."""
        words = words_of(question)
        if len(words) < self.min_words:
            return f"A question has at least {self.min_words} words. Please write it out."
        if self.script and not _has_letters_of(question, passage):
            return "The question is not in the letters of the passage. Please ask in the passage's language."
        if not _in_english(passage):
            return None
        unknown = [word for word in words if not _is_known(word, passage)]
        if len(words) - len(unknown) < self.min_known_share * len(words):
            quoted = ", ".join(unknown[:QUOTED_WORDS])
            return (
                f"Too few words of the question are English ({quoted} …). Please check the spelling, or ask otherwise."
            )
        if self.shape and not english.asks(_clauses(question), _words_of_passage(passage)):
            return (
                "This does not read as a question. Please ask in a sentence, with who, what, when, where, why or how."
            )
        return None


def words_of(text: str) -> list[str]:
    """Without case and punctuation; in scripts without spaces every character is one."""
    return [part for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()) for part in _parts(word)]


def _clauses(question: str) -> list[list[str]]:
    clauses = _BLANK.sub(f" {_GAP} ", question).split(",")
    return [[english.BLANK if word == _GAP else _stem(word) for word in words_of(clause)] for clause in clauses]


def _parts(word: str) -> Iterator[str]:
    if any(map(is_unspaced, word)):
        yield from (char for char in word if char.isalnum())
    else:
        yield word.replace("’", "'")


def _stem(word: str) -> str:
    return word.partition("'")[0]


def _is_known(word: str, passage: str) -> bool:
    if any(char.isdigit() for char in word):
        return True
    return any(form in _words_of_passage(passage) or form in english.known_words() for form in (word, _stem(word)))


@lru_cache(PASSAGES_REMEMBERED)
def _words_of_passage(passage: str) -> frozenset[str]:
    return frozenset(form for word in words_of(passage) for form in (word, _stem(word)))


@lru_cache(PASSAGES_REMEMBERED)
def _in_english(passage: str) -> bool:
    return english.is_english(words_of(passage))


def _has_letters_of(question: str, passage: str) -> bool:
    """Most letters are, and no word that the passage lacks mixes scripts to look like another one."""
    scripts = _scripts_of(passage)
    letters = [char for char in question if char.isalpha()]
    if 2 * sum(_script(char) in scripts for char in letters) < len(letters):
        return False
    return not any(
        len(set(map(_script, filter(str.isalpha, word)))) > 1 and word not in _words_of_passage(passage)
        for word in words_of(question)
    )


@lru_cache(PASSAGES_REMEMBERED)
def _scripts_of(passage: str) -> frozenset[str]:
    return _scripts(passage)


def _scripts(chars: Iterable[str]) -> frozenset[str]:
    return frozenset(_script(char) for char in set(chars) if char.isalpha())


def _script(letter: str) -> str:
    """By the first word of its name: LATIN, CYRILLIC, CJK; compatibility forms as what they stand for."""
    name = unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "UNNAMED").partition(" ")[0]
    return _ONE_SCRIPT.get(name, name)
