"""The place in a passage of an answer that a language model gave in words."""

from __future__ import annotations

import re
import unicodedata

from beat_the_ai.kinds.reading_comprehension.borders import cuts_words
from beat_the_ai.kinds.reading_comprehension.writing import Span
from beat_the_ai.rules.text import folded

ARTICLES = frozenset(("a", "an", "the"))


def aligned(context: str, text: str) -> Span | None:
    """The first place where the passage says it: as it stands, or else word by word without case, punctuation and
    articles, as answers are compared. None where it says it nowhere, and for an answer without words.
    """
    stripped = text.strip()
    for match in re.finditer(re.escape(stripped), context) if stripped else ():
        if not cuts_words(context, *match.span()):
            return Span(text=stripped, start=match.start())
    wanted = [word for word, _, _ in _words(stripped)]
    words = _words(context)
    for first in range(len(words) - len(wanted) + 1 if wanted else 0):
        found = words[first : first + len(wanted)]
        if [word for word, _, _ in found] == wanted:
            return _trimmed(context, found[0][1], found[-1][2], stripped)
    return None


def _words(text: str) -> list[tuple[str, int, int]]:
    """Folded, with where each begins and ends; no articles, and nothing that is punctuation alone."""
    placed = [(folded(match.group()), *match.span()) for match in re.finditer(r"\S+", text)]
    return [(word, start, end) for word, start, end in placed if word and word not in ARTICLES]


def _trimmed(context: str, start: int, end: int, text: str) -> Span:
    """Without the punctuation around it that the answer does not have."""
    while _is_punctuation(context[start]) and context[start] != text[0]:
        start += 1
    while _is_punctuation(context[end - 1]) and context[end - 1] != text[-1]:
        end -= 1
    return Span(text=context[start:end], start=start)


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] == "P"
