"""Sentences of a text, by their places in it. Places are code points."""

from __future__ import annotations

import re
from typing import NamedTuple

_END = re.compile(r"""[.!?]["'”’)\]]*(?=\s+["'“‘(\[]?[A-Z0-9])""")
_TITLES = r"Mrs?|Ms|Dr|St|Mt|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|vs|ca?|Ph"
_ABBREVIATION = re.compile(rf"""(?:^|[\s("'“‘])(?:[A-Z]|{_TITLES})\.$""")
_NUMBER = re.compile(r"(?:No|Op)\.\s+\d")


class Place(NamedTuple):
    start: int
    end: int


def sentences(text: str) -> list[Place]:
    """They end at a stop before white space and a capital; an initial's, an abbreviation's or a number's is none."""
    found, start = [], 0
    for match in _END.finditer(text):
        stop = match.start() + 1
        if not (_ABBREVIATION.search(text[start:stop]) or _NUMBER.match(text, stop - len("No."))):
            found.append(_trimmed(text, start, match.end()))
            start = match.end()
    last = _trimmed(text, start, len(text))
    return [*found, last] if last.end > last.start else found


def _trimmed(text: str, start: int, end: int) -> Place:
    part = text[start:end]
    return Place(start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip()))
