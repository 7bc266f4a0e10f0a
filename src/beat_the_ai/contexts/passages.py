"""Passages out of documents: whole sentences in a row, as long as a context may be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from beat_the_ai.contexts.documents import Document

# A sentence ends with its mark, perhaps within quotes, before white space and what can begin the next, or a blank line.
_MARK = r"[.!?…][\"'”’»)\]]*"
_END = re.compile(rf"{_MARK}\s+(?=[\"'“‘«(\[]*[^\W_a-zß-öø-ÿ])|\n\s*\n")
_MARKED = re.compile(rf"{_MARK}$")
_ABBREVIATION = re.compile(
    r"\b(?:[A-Z]|[a-z]\.[a-z]|Mrs?|Ms|Dr|Prof|St|[JS]r|Gen|Col|Capt|Lt|Sgt|Rev|Gov|Sen|Rep|Mt|Nos?|vs|cf|ca|Jan|Feb|Mar"
    r"|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Inc|Ltd|Co|Corp|[Vv]ol|pp?|[Ff]ig)\.$"
)


@dataclass(frozen=True)
class Passage:
    """The `number`-th of its document, from 1."""

    document: Document
    number: int
    text: str

    @property
    def id(self) -> str:
        return f"{self.document.id}/{self.number}"


def passages(document: Document, min_chars: int, max_chars: int) -> Iterator[Passage]:
    """As long as whole sentences allow, one after the other; white space is single spaces.

    A sentence is in one passage at most, and in none where it is too long by itself, or what is left is too short.
    """
    texts = [text for text in _joined(document.text, max_chars) if len(text) >= min_chars]
    return (Passage(document, number, text) for number, text in enumerate(texts, start=1))


def _joined(text: str, max_chars: int) -> Iterator[str]:
    """Sentences in a row of at most so many characters. A longer sentence ends a row."""
    row = ""
    for sentence in sentences(text):
        longer = f"{row} {sentence}" if row else sentence
        if len(longer) > max_chars:
            yield row
            longer = sentence if len(sentence) <= max_chars else ""
        row = longer
    yield row


def sentences(text: str) -> Iterator[str]:
    """With their marks at the end: what has none, as a heading, is left out."""
    start = 0
    for end in [*_END.finditer(text), None]:
        sentence = " ".join(text[start : None if end is None else end.end()].split())
        if end is not None and end.group().count("\n") < 2 and _ABBREVIATION.search(sentence):
            continue
        start = len(text) if end is None else end.end()
        if _MARKED.search(sentence):
            yield sentence
