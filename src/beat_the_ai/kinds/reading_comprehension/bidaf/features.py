"""The inputs of the network: a batch of passages and questions as padded numpy arrays.

Shared by training and inference, and free of torch, so that a model answers in production exactly as it was trained. A
passage stands in a batch once, however many questions are asked about it; `owner` gives the passage of a question.
Beside word pieces there are hand-made features in the tradition of DrQA (Chen et al. 2017, §3.2). They tell whether a
passage word occurs in the question (unchanged, folded, by its stem), and how it is written.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.networks.text import Vocabulary, Word, fold, stem, words

MAX_WORDS = 320
MAX_PIECES = 480
MAX_QUESTION_WORDS = 64
MATCH_FEATURES = 3
SHAPE_FEATURES = 4

Array = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class EncodedText:
    """One text, or one window of it, ready to be put into batches. T words, L pieces."""

    words: tuple[Word, ...]
    pieces: Ints  # (L,), with the start and end pieces
    first_piece: Ints  # (T,), where in `pieces` each word starts; never 0
    keys: Ints  # (3, T), checksums of the word as it stands, folded, and of its stem
    shape: Floats  # (T, 4), capitalised, all capitals, has a digit, is punctuation


def encode(text: str, vocabulary: Vocabulary, max_words: int = MAX_WORDS) -> EncodedText:
    """The first `max_words` words of a text (fewer if they need too many pieces)."""
    return encode_words(words(text)[:max_words], vocabulary)


def windows(text: str, vocabulary: Vocabulary) -> list[EncodedText]:
    """The whole text in windows that overlap by half; at least one, which has no words if the text has none."""
    found, start, every = [], 0, words(text)
    while True:
        window = encode_words(every[start : start + MAX_WORDS], vocabulary)
        found.append(window)
        if start + len(window.words) >= len(every):
            return found
        start += max(1, len(window.words) // 2)


def encode_words(every: Sequence[Word], vocabulary: Vocabulary) -> EncodedText:
    """As many of these words as fit into `MAX_PIECES` pieces."""
    pieces, first_piece = [vocabulary.start], []
    folded = [fold(word.text) for word in every]
    for word in folded:
        of_word = vocabulary.pieces_of(word)
        if len(pieces) + len(of_word) >= MAX_PIECES:
            break
        first_piece.append(len(pieces))
        pieces.extend(of_word)
    pieces.append(vocabulary.end)
    kept = tuple(every[: len(first_piece)])
    folded = folded[: len(kept)]
    keys = [[word.text for word in kept], folded, [stem(word) for word in folded]]
    return EncodedText(
        words=kept,
        pieces=np.array(pieces, dtype=np.int64),
        first_piece=np.array(first_piece, dtype=np.int64),
        keys=np.array([[zlib.crc32(key.encode("utf-8", "replace")) for key in row] for row in keys], dtype=np.int64),
        shape=np.array([_shape(word.text) for word in kept], dtype=np.float32).reshape(len(kept), SHAPE_FEATURES),
    )


def batch(passages: Sequence[EncodedText], questions: Sequence[EncodedText], owner: Sequence[int]) -> dict[str, Array]:
    """Padded arrays by the names of the network's inputs. P passages, Q questions, T and J words, L and M pieces.

    passage_pieces (P, L), passage_words (P, T), passage_shape (P, T, 4), question_pieces (Q, M), question_words (Q, J),
    owner (Q,), match (Q, T, 3). Padded pieces are 0 and padded words point to piece 0, which is never a word's.
    """
    length = max(1, *(len(passage.words) for passage in passages))
    match = np.zeros((len(questions), length, MATCH_FEATURES), dtype=np.float32)
    for row, (question, passage) in enumerate(zip(questions, owner, strict=True)):
        keys = passages[passage].keys
        for feature in range(MATCH_FEATURES):
            match[row, : keys.shape[1], feature] = np.isin(keys[feature], question.keys[feature])
    shape = np.zeros((len(passages), length, SHAPE_FEATURES), dtype=np.float32)
    for row, encoded in enumerate(passages):
        shape[row, : len(encoded.words)] = encoded.shape
    return {
        "passage_pieces": _padded([passage.pieces for passage in passages]),
        "passage_words": _padded([passage.first_piece for passage in passages]),
        "passage_shape": shape,
        "question_pieces": _padded([question.pieces for question in questions]),
        "question_words": _padded([question.first_piece for question in questions]),
        "owner": np.array(owner, dtype=np.int64),
        "match": match,
    }


def probe(vocabulary: Vocabulary, piece: int) -> dict[str, Array]:
    """Return the network's inputs of a passage and a question of one word, which have that piece."""
    text = encode("a", vocabulary)
    text = replace(text, pieces=np.array([vocabulary.start, piece, vocabulary.end], np.int64))
    return batch([text], [text], [0])


def _padded(rows: Sequence[Ints]) -> Ints:
    table = np.zeros((len(rows), max(1, *(len(row) for row in rows))), dtype=np.int64)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


def _shape(word: str) -> tuple[bool, bool, bool, bool]:
    return (
        word[:1].isupper(),
        len(word) > 1 and word.isupper(),
        any(char.isdigit() for char in word),
        not any(char.isalnum() for char in word),
    )
