"""The inputs of a guesser from a question: the pieces of its words, in order, without punctuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.quizbowl import wording
from beat_the_ai.networks import text as pieces_of_text
from beat_the_ai.networks.text import Vocabulary

MAX_PIECES = 512
PAD = 0

Array = NDArray[np.int64]


@dataclass(frozen=True)
class EncodedQuestion:
    """`pieces` (L,) and, for each, the number of the word that it is of (`wording.words`)."""

    pieces: Array
    words: Array


def encode(text: str, vocabulary: Vocabulary) -> EncodedQuestion:
    """The first 512 pieces. Those of words that the vocabulary does not have are left out."""
    pieces, numbers = list[int](), list[int]()
    for number, (start, end) in enumerate(wording.words(text)):
        for word in pieces_of_text.words(text[start:end]):
            if word.text[0].isalnum():
                found = vocabulary.pieces_of(pieces_of_text.fold(word.text))
                known = [piece for piece in found if piece != vocabulary.unknown]
                pieces += known
                numbers += [number] * len(known)
    return EncodedQuestion(np.array(pieces[:MAX_PIECES], np.int64), np.array(numbers[:MAX_PIECES], np.int64))


def batch(questions: Sequence[Array]) -> Array:
    """Pieces of several questions (N, L), padded behind to the longest, which has one at least."""
    longest = max((len(pieces) for pieces in questions), default=0)
    padded = np.full((len(questions), max(1, longest)), PAD, np.int64)
    for row, pieces in zip(padded, questions, strict=True):
        row[: len(pieces)] = pieces
    return padded


def probe(vocabulary: Vocabulary, piece: int) -> dict[str, Array]:
    """Return the network's inputs of a question with that piece alone."""
    return {"pieces": batch([np.array([piece], np.int64)])}
