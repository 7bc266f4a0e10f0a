"""A question's words and sentences, by their places in it. Places are code points."""

from __future__ import annotations

import re

from beat_the_ai.kinds.sentences import Place, sentences

__all__ = ["Place", "sentences", "words"]

_WORD = re.compile(r"\S+")


def words(text: str) -> list[Place]:
    """Return the words between white space: a moderator reads them one after the other."""
    return [Place(*match.span()) for match in _WORD.finditer(text)]
