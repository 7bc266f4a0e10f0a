"""Answers: entities with a page, by whatever name people call them.

Models choose among pages ("Trick Me If You Can", §3.2), people say names: the page's own, or an alias.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nsmallest

from pydantic import Field

from beat_the_ai.files.values import id_text
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.text import without_shapeless

MAX_NAME_CHARS = 200
FORMS_KEPT = 1 << 17  # names are the same again and again
SLIP_CHARS = 7  # a shorter word with another letter is another word, as a numeral is
_LETTERS = str.maketrans(  # what Unicode does not take apart, in lower case
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŋ": "n", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe"}
)
_DISAMBIGUATION = re.compile(r"[ _]\([^()]*\)$")
_ARTICLE = re.compile(r"^(the|a|an) ")
_SEPARATOR = re.compile(r"[\W_]+")
_APOSTROPHE = re.compile(r"['’](?:s\b)?")


class Answer(Value):
    """An entity. `page` is the title of its page, with underscores, and stands for it in files and to models.

    Simulated authors begin with its `questions`.
    """

    page: str = Field(min_length=1, max_length=255, pattern=r"^[^\s\x00]+$")
    name: str = Field(min_length=1, max_length=MAX_NAME_CHARS)
    aliases: list[str] = Field(default_factory=list)
    questions: list[str] = Field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Return the answer's names among people: its name, the page's title, aliases."""
        return [self.name, page_title(self.page), *self.aliases]


def search(answers: Iterable[Answer], text: str, most: int) -> list[Answer]:
    """Answers one of whose names has all words of the text, each at least as a beginning; the closest first."""
    parts = spoken(text).split()
    found = []
    for answer in answers:
        ranks = [_closeness(parts, spoken(name)) for name in answer.names]
        if matching := [rank for rank in ranks if rank is not None]:
            found.append((min(matching), answer.name, answer.page, answer))
    return [answer for *_, answer in nsmallest(most, found, key=lambda each: each[:3])]


def is_called(answer: Answer, said: str) -> bool:
    """Return whether a person names the answer, whatever the case, accents, article and punctuation."""
    form = spoken(said[:MAX_NAME_CHARS])
    return form != "" and form in [spoken(name) for name in answer.names]


def called(answers: Sequence[Answer], said: str) -> Answer | None:
    """The first that is called so; else the first with a name that differs by a slip in each long word at most."""
    form = spoken(said[:MAX_NAME_CHARS])
    exact = next((answer for answer in answers if is_called(answer, said)), None)
    if exact is not None or not form:
        return exact
    return next((each for each in answers if any(_may_mean(form, spoken(name)) for name in each.names)), None)


def name_within(answer: Answer, text: str) -> str | None:
    """The first of its names that stands in a text as whole words; None where there is none."""
    padded = f" {_plain(text)} "
    for name in answer.names:
        form = spoken(name)
        if form and f" {form} " in padded:
            return name
    return None


def page_name(page: object) -> str | None:
    """Return a page as files and models have it, with underscores for spaces; None for one without a name.

    Raises `ValueError` for what is no name.
    """
    return "_".join(id_text(page).split()) or None


def page_title(page: str) -> str:
    """For people: "Emma_(novel)" is "Emma"."""
    return _DISAMBIGUATION.sub("", page).replace("_", " ")


@lru_cache(FORMS_KEPT)
def spoken(name: str) -> str:
    """Return the words of a name in basic lower-case letters, without punctuation and a leading article."""
    return _ARTICLE.sub("", _plain(name))


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", without_shapeless(text).casefold())
    letters = "".join(char for char in decomposed if not unicodedata.combining(char)).translate(_LETTERS)
    return _SEPARATOR.sub(" ", _APOSTROPHE.sub("", letters)).strip()


def _may_mean(form: str, other: str) -> bool:
    words, others = form.split(), other.split()
    return len(words) == len(others) and all(
        word == meant or _is_slip(word, meant) for word, meant in zip(words, others, strict=True)
    )


def _is_slip(word: str, meant: str) -> bool:
    """One letter more, one less, another one, or two that have changed places."""
    short, long = sorted((word, meant), key=len)
    if len(long) < SLIP_CHARS or len(long) - len(short) > 1:
        return False
    start = next((place for place, char in enumerate(short) if char != long[place]), len(short))
    rest, other = short[start:], long[start:]
    if len(rest) < len(other):
        return rest == other[1:]
    return rest[1:] == other[1:] or (rest[:2] == other[1::-1] and rest[2:] == other[2:])


def _closeness(words: Sequence[str], form: str) -> tuple[int, int] | None:
    """Less is closer: how far in the words begin, and what is left over."""
    found = form.split()
    if not all(any(other.startswith(word) for other in found) for word in words):
        return None
    joined = " ".join(words)
    place = form.find(joined)
    return (place if place >= 0 else len(form), len(form) - len(joined))
