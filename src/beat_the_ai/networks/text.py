"""From text to words with their places, and from words to word pieces.

The network sees word pieces, the answer must be cut out of the passage as the writer sees it: so every word keeps its
code-point offsets into the original text, and all folding (case, accents) happens on a copy of the word. Words are cut
as BERT's basic tokeniser cuts them (Devlin et al. 2019), because the piece vectors come from a model of that family.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PAD, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
MAX_PIECES_PER_WORD = 8

_IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|(?:[^\W_{_IDEOGRAPH}][\u0300-\u036f]*)+|[^\w\s]|_")
_SUFFIX = re.compile(r"(?:ings?|edly|ed|ers?|ies|ly|es|s|e|y)$")


@dataclass(frozen=True)
class Word:
    """A word or a punctuation mark; `start` and `end` count code points of the text it was cut from."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a text in order; every `text[word.start:word.end] == word.text`."""
    return [Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def fold(word: str) -> str:
    """The word in lower case and without accents."""
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")


def stem(folded: str) -> str:
    """A rough stem, so that "invents" meets "invented": common English endings off words of five letters on."""
    if len(folded) < 5:
        return folded.removesuffix("s") if len(folded) == 4 else folded
    return _SUFFIX.sub("", folded)


class Vocabulary:
    """The word pieces that have a vector; a piece inside a word starts with `##`. Piece 0 pads."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = tuple(pieces)
        self._ids = {piece: index for index, piece in enumerate(self.pieces)}
        self._of_word: dict[str, tuple[int, ...]] = {}
        self.start, self.end, self.unknown = (self._ids[piece] for piece in (START, END, UNKNOWN))

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read one piece a line."""
        return cls(path.read_text(encoding="utf-8").split("\n")[:-1])

    def save(self, path: Path) -> None:
        path.write_text("".join(f"{piece}\n" for piece in self.pieces), encoding="utf-8", newline="\n")

    def __len__(self) -> int:
        return len(self.pieces)

    def pieces_of(self, folded: str) -> tuple[int, ...]:
        """Ids of the longest pieces from left to right (Wu et al. 2016), or of the unknown piece if none fit."""
        known = self._of_word.get(folded)
        if known is None:
            known = self._split(folded)
            if len(self._of_word) < 200_000:
                self._of_word[folded] = known
        return known

    def _split(self, folded: str) -> tuple[int, ...]:
        found: list[int] = []
        start = 0
        while start < len(folded):
            prefix = "##" if start else ""
            for end in range(min(len(folded), start + 24), start, -1):
                piece = self._ids.get(prefix + folded[start:end])
                if piece is not None:
                    break
            else:
                return (self.unknown,)
            found.append(piece)
            start = end
        if not 0 < len(found) <= MAX_PIECES_PER_WORD:
            return (self.unknown,)
        return tuple(found)
