"""Types of answers (Bartolo et al. 2020, Figure 8), by rules on the answer's own words.

The types are those of Rajpurkar et al. 2016, Table 2, as far as words alone tell them apart: persons, places and other
names are one type, and so are verb phrases and clauses. The rules are for English. They know neither the sentence nor
parts of speech, so they err where these decide: "Will May" is a date, "can" makes "a can of paint" a clause, an answer
that begins a sentence may look like a name, and a name in lower case like a noun. Use the shares to compare datasets
that were counted by the same rules, not as truths about one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_MONTHS_AND_DAYS = (
    "January February March April May June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
)
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands "
    "million millions billion billions trillion dozen dozens half third quarter twice once first second"
)
_AUXILIARIES = (
    "is are was were be been being am has have had do does did will would can could shall should may might must cannot "
    "not that which who because if when while"
)
_BEFORE_NUMBERS = (
    "about around over under nearly almost approximately roughly some at least most more less than up to the a an"
)
_INSIDE_NAMES = "of the and for in on at de la le von van der den di da du del al el et und y to"
_ADJECTIVE = re.compile(r"(ly|ous|ful|less|able|ible|ive|ical|ish|ant|ent|ary|ic|al|er|est)$")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_YEAR = re.compile(r"(?:1\d\d\d|20\d\d)s?|\d0s")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


MONTHS_AND_DAYS = _set(_MONTHS_AND_DAYS)
ERAS = _set("century centuries decade decades bc bce ad ce")
NUMBERS, AUXILIARIES = _set(_NUMBERS), _set(_AUXILIARIES)
BEFORE_NUMBERS, INSIDE_NAMES = _set(_BEFORE_NUMBERS), _set(_INSIDE_NAMES)


def _is_date(words: list[str]) -> bool:
    return any(
        word.removesuffix("s") in MONTHS_AND_DAYS or word.lower() in ERAS or _YEAR.fullmatch(word) for word in words
    )


def _is_number(words: list[str]) -> bool:
    """Return whether a digit or a number word comes first, after nothing but words such as "about"."""
    first = next((word.lower() for word in words if word.lower() not in BEFORE_NUMBERS), "")
    return first[:1].isdigit() or first.partition("-")[0] in NUMBERS


def _is_name(words: list[str]) -> bool:
    telling = [word for word in words if word.lower() not in INSIDE_NAMES]
    return bool(telling) and all(word[0].isupper() or word[0].isdigit() for word in telling)


def _is_clause(words: list[str]) -> bool:
    lower = [word.lower() for word in words]
    begins_with_verb = lower[0] == "to" or (len(lower) > 1 and lower[0].endswith(("ing", "ed")))
    return begins_with_verb or any(word in AUXILIARIES for word in lower)


def _is_adjective(words: list[str]) -> bool:
    return len(words) <= 2 and all(_ADJECTIVE.search(word.lower()) for word in words)


NOUN_PHRASE, OTHER = "noun phrase", "other"

# In this order; the first that holds is the type. What is left and has letters counts as a (common) noun phrase.
_RULES: dict[str, Callable[[list[str]], bool]] = {
    "date": _is_date,
    "number": _is_number,
    "name": _is_name,
    "verb or clause": _is_clause,
    "adjective or adverb": _is_adjective,
}
ANSWER_TYPES = (*_RULES, NOUN_PHRASE, OTHER)


def answer_type(answer: str) -> str:
    """Return one of `ANSWER_TYPES`."""
    words = _WORD.findall(answer)
    if not words:
        return OTHER
    return next((name for name, holds in _RULES.items() if holds(words)), NOUN_PHRASE)
