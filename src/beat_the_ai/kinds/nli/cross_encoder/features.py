"""The inputs of the network: pairs of premise and hypothesis as padded numpy arrays.

Shared by training and inference, and free of torch, so that a model answers in production exactly as it was trained.
Premise and hypothesis stand in one sequence, as in BERT (Devlin et al. 2019). Beside word pieces there are features in
the tradition of DrQA (Chen et al. 2017, §3.2). They tell whether a piece's word occurs on the other side: unchanged,
folded, or by its stem.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.networks.text import Vocabulary, fold, stem, words

MAX_PIECES = 256
MAX_HYPOTHESIS_PIECES = 96
MATCH_FEATURES = 3
PREMISE, HYPOTHESIS = 1, 2  # segments; 0 pads

Array = NDArray[Any]


@dataclass(frozen=True)
class EncodedText:
    """The beginning of a text, L pieces."""

    pieces: NDArray[np.int64]  # (L,)
    keys: NDArray[np.int64]  # (3, L), checksums of the piece's word as it stands, folded, and of its stem


def encode(text: str, vocabulary: Vocabulary, max_pieces: int = MAX_PIECES) -> EncodedText:
    """The text's first words that fit into so many pieces."""
    pieces: list[int] = []
    keys: list[tuple[int, ...]] = []
    for word in words(text):
        folded = fold(word.text)
        in_pieces = vocabulary.pieces_of(folded)
        if len(pieces) + len(in_pieces) > max_pieces:
            break
        pieces.extend(in_pieces)
        keys.extend([tuple(_checksum(key) for key in (word.text, folded, stem(folded)))] * len(in_pieces))
    table = np.array(keys, dtype=np.int64).reshape(len(keys), MATCH_FEATURES)
    return EncodedText(np.array(pieces, dtype=np.int64), table.T)


def batch(
    premises: Sequence[EncodedText], hypotheses: Sequence[EncodedText], vocabulary: Vocabulary
) -> dict[str, Array]:
    """Padded arrays by the names of the network's inputs. N pairs in rows of at most L = `MAX_PIECES` pieces.

    pieces (N, L), segments (N, L), match (N, L, 3). The end of a premise that does not fit is cut off.
    """
    rows = [_pair(premise, hypothesis, vocabulary) for premise, hypothesis in zip(premises, hypotheses, strict=True)]
    length = max(len(pieces) for pieces, _, _ in rows)
    arrays: dict[str, Array] = {
        "pieces": np.zeros((len(rows), length), dtype=np.int64),
        "segments": np.zeros((len(rows), length), dtype=np.int64),
        "match": np.zeros((len(rows), length, MATCH_FEATURES), dtype=np.float32),
    }
    for number, row in enumerate(rows):
        for array, values in zip(arrays.values(), row, strict=True):
            array[number, : len(values)] = values
    return arrays


def probe(vocabulary: Vocabulary, piece: int) -> dict[str, Array]:
    """Return the network's inputs of a pair whose texts have that piece alone."""
    text = EncodedText(np.array([piece], np.int64), np.zeros((MATCH_FEATURES, 1), np.int64))
    return batch([text], [text], vocabulary)


def _pair(premise: EncodedText, hypothesis: EncodedText, vocabulary: Vocabulary) -> tuple[Array, Array, Array]:
    """[CLS] premise [SEP] hypothesis [SEP]: pieces, segments and matches of one pair."""
    second = hypothesis.pieces[:MAX_HYPOTHESIS_PIECES]
    first = premise.pieces[: MAX_PIECES - 3 - len(second)]
    first_keys, second_keys = premise.keys[:, : len(first)], hypothesis.keys[:, : len(second)]
    pieces = np.concatenate([[vocabulary.start], first, [vocabulary.end], second, [vocabulary.end]])
    segments = np.full(len(pieces), HYPOTHESIS)
    segments[: len(first) + 2] = PREMISE
    match = np.zeros((len(pieces), MATCH_FEATURES), dtype=np.float32)
    for feature in range(MATCH_FEATURES):
        match[1 : len(first) + 1, feature] = np.isin(first_keys[feature], second_keys[feature])
        match[len(first) + 2 : -1, feature] = np.isin(second_keys[feature], first_keys[feature])
    return pieces, segments, match


def _checksum(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace"))
