"""The guesses of a network: logits of pages, and the weight of each word for the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.quizbowl.neural.features import batch, encode
from beat_the_ai.kinds.quizbowl.reader import Ranking, Reasons
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.networks.calibration import log_probabilities
from beat_the_ai.networks.outputs import Run
from beat_the_ai.networks.text import Vocabulary

MODEL_FILE, SALIENCY_FILE = "model.onnx", "saliency.onnx"
OUTPUTS, SALIENCY_OUTPUTS = ("logits", "vectors", "weights"), ("saliency",)
RANKED = 1000  # pages at most
TEXTS_AT_ONCE = 64


@dataclass(frozen=True)
class NetworkGuesser:
    """`read` gives logits (N, P), vectors (N, L, t) and weights (N, L) of pieces (N, L).

    `saliency` (1, L) is of the vectors and weights of one question, and the number of a page (1,).
    """

    vocabulary: Vocabulary
    pages: Sequence[str]
    temperature: float
    read: Run
    saliency: Run

    def rankings(self, texts: Sequence[str]) -> list[Ranking]:
        pieces = [encode(text, self.vocabulary).pieces for text in texts]
        found = [Ranking([], [])] * len(texts)
        told = [number for number, each in enumerate(pieces) if len(each)]
        for first in range(0, len(told), TEXTS_AT_ONCE):
            numbers = told[first : first + TEXTS_AT_ONCE]
            logits, _, _ = self.read({"pieces": batch([pieces[number] for number in numbers])})
            shares = np.exp(log_probabilities(logits, self.temperature))
            for number, row in zip(numbers, shares, strict=True):
                found[number] = self._ranking(row)
        return found

    def reasons(self, text: str, page: str) -> Reasons:
        """The saliency of each word, the highest 1; a network has no evidence to show."""
        question = encode(text, self.vocabulary)
        _, vectors, weights = self.read({"pieces": batch([question.pieces])})
        number = np.array([self.pages.index(page)], np.int64)
        [[by_piece]] = self.saliency({"vectors": vectors, "weights": weights, "page": number})
        by_word = np.zeros(len(words(text)))
        np.add.at(by_word, question.words, by_piece)
        most = by_word.max(initial=0.0)
        return Reasons(saliency=(by_word / most).tolist() if most > 0 else [0.0] * len(by_word))

    def _ranking(self, shares: NDArray[np.float64]) -> Ranking:
        best = np.argsort(-shares, kind="stable")[:RANKED]
        return Ranking([self.pages[number] for number in best], [float(share) for share in shares[best]])
