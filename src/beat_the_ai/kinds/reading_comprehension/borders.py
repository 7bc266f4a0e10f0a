"""The borders of a passage's words, for answers that must not cut any.

The page marks whole words (`webapp/src/passage/tokens.ts`, by the browser's `Intl.Segmenter`). This is the same rule on
the server: Unicode's default word borders (UAX #29) with the page's own additions. An amount keeps its sign ($2.00,
40%), and a word may be marked without its "'s". Scripts without spaces need a dictionary, whose version differs between
browsers. There, any two characters may be parted, as long as none loses its marks. `webapp/src/passage/borders.json`
holds cases for both sides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from beat_the_ai.kinds.scripts import is_unspaced

PASSAGES_REMEMBERED = 64

# Punctuation that holds a word or a number together when both of its sides do.
_IN_WORDS = frozenset("'.:·\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a")
_IN_NUMBERS = frozenset(
    "'.,;\u037e\u0589\u060c\u060d\u066c\u07f8\u2018\u2019\u2024\u2044\ufe52\uff07\uff0c\uff0e\uff1b"
)
POSSESSIVE = re.compile("['’][sS]\\Z")
_UNITS = frozenset("%‰°")
_JOINER, _ZERO_WIDTH_SPACE = "\u200d", "\u200b"


def cuts_words(text: str, start: int, end: int) -> bool:
    """Return whether a stretch of a text, in code points, begins or ends within a word."""
    return any(0 < at < len(text) and not _is_gap(text, at) and not _is_border(text, at) for at in (start, end))


def words(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text begin and end, signs and punctuation among them, in code points."""
    found: list[tuple[int, int]] = []
    for start, end in _segments(text):
        if found and found[-1][1] == start and _is_amount(text, *found[-1], start, end):
            start = found.pop()[0]
        found.append((start, end))
    return found


@lru_cache(PASSAGES_REMEMBERED)
def words_begin_and_end(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """The places in a text, in code points, at which an answer may begin, and those at which it may end."""
    found = words(text)
    return frozenset(start for start, _ in found), frozenset(end for _, end in found)


def _is_border(text: str, at: int) -> bool:
    return any(at in places for places in words_begin_and_end(text))


def _is_gap(text: str, at: int) -> bool:
    return text[at - 1].isspace() or text[at].isspace()


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Yield segments by Unicode's borders, without white space, and with "'s" apart from its word."""
    places = [0, *(at for at in range(1, len(text)) if _parts(text, at)), len(text)]
    for start, end in pairwise(places):
        if not text[start:end].strip():
            continue
        if end - start > 2 and POSSESSIVE.match(text, end - 2, end):
            yield start, end - 2
            start = end - 2
        yield start, end


def _is_amount(text: str, start: int, end: int, next_start: int, next_end: int) -> bool:
    """Return whether a word and the one that touches it are a number with its sign: $2.00, 40%."""
    word, following = text[start:end], text[next_start:next_end]
    if len(word) == 1 and unicodedata.category(word) == "Sc":
        return _is_numeral(following[0])
    return following in _UNITS and _is_numeral(word[0])


def _parts(text: str, at: int) -> bool:
    """Return whether Unicode has a border there."""
    if _is_gap(text, at):
        return not (text[at - 1].isspace() and text[at].isspace())
    if _extends(text[at]) or (text[at - 1] == _JOINER and _is_pictograph(text[at])):
        return False
    last = _before(text, at)
    if _is_flag(text[at]) and _is_flag(text[last]):
        return _flags_before(text, at) % 2 == 0
    return not _holds_together(text, last, at)


def _holds_together(text: str, last: int, at: int) -> bool:
    """Return whether the characters at `last` and `at`, with only marks between them, belong to one word."""
    one, other = text[last], text[at]
    if _is_hangul(one) != _is_hangul(other) or (_is_word(one) and _is_word(other)):
        return _is_hangul(one) == _is_hangul(other)
    return (
        (_is_hebrew(one) and other == "'")
        or (_is_word(one) and _bridges(text, last, at, _after(text, at)))
        or (_is_word(other) and _bridges(text, _before(text, last), last, at))
    )


def _bridges(text: str, before: int, at: int, after: int) -> bool:
    """Return whether the punctuation at `at` stands within a word or a number."""
    if before < 0 or after >= len(text):
        return False
    one, other, between = text[before], text[after], text[at]
    if _is_letter(one) and _is_letter(other) and _is_hangul(one) == _is_hangul(other):
        return between in _IN_WORDS or (between == '"' and _is_hebrew(one) and _is_hebrew(other))
    return one.isdecimal() and other.isdecimal() and between in _IN_NUMBERS


def _before(text: str, at: int) -> int:
    """The last character before a place that is more than a mark on another, or -1."""
    at -= 1
    while at > 0 and _extends(text[at]):
        at -= 1
    return at


def _after(text: str, at: int) -> int:
    at += 1
    while at < len(text) and _extends(text[at]):
        at += 1
    return at


def _extends(char: str) -> bool:
    """Marks, joiners, format characters and skin tones belong to what they follow."""
    mark = unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf") and char != _ZERO_WIDTH_SPACE
    return mark or "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_word(char: str) -> bool:
    return _is_letter(char) or char.isdecimal() or unicodedata.category(char) == "Pc"


def _is_letter(char: str) -> bool:
    return (char.isalpha() or unicodedata.category(char) == "Nl") and not is_unspaced(char)


def _is_hangul(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff" or "\u3130" <= char <= "\u318f" or "\uac00" <= char <= "\ud7ff"


def _is_hebrew(char: str) -> bool:
    return "\u05d0" <= char <= "\u05ea"


def _is_numeral(char: str) -> bool:
    return unicodedata.category(char).startswith("N")


def _is_pictograph(char: str) -> bool:
    return char > "\u2100" and unicodedata.category(char) == "So"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag(text[start - 1]):
        start -= 1
    return at - start
