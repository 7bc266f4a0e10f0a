"""The words of texts, as they are compared."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    """Its words, without case and punctuation."""
    return _WORD.findall(text.casefold())
