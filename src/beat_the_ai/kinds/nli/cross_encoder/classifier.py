"""Labels pairs with any engine that turns a batch into logits (N, 3), in the order of `LABELS`."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.kinds.nli.cross_encoder.features import batch, encode
from beat_the_ai.kinds.nli.labels import Pair, Prediction
from beat_the_ai.kinds.nli.predictions import prediction
from beat_the_ai.networks.outputs import Run
from beat_the_ai.networks.text import Vocabulary


class Classifier:
    """`temperature` divides the logits, so that probabilities match accuracy. The hypothesis-only one sees no premise.

    Pairs are asked one by one: what is said of a pair does not depend on its neighbours, not even in the last digit.
    """

    def __init__(
        self, vocabulary: Vocabulary, run: Run, temperature: float = 1.0, *, hypothesis_only: bool = False
    ) -> None:
        self._vocabulary = vocabulary
        self._run = run
        self._temperature = temperature
        self._hypothesis_only = hypothesis_only

    def predict(self, queries: Sequence[Pair]) -> list[Prediction]:
        return [self._prediction(pair) for pair in queries]

    def _prediction(self, pair: Pair) -> Prediction:
        premise = encode("" if self._hypothesis_only else pair.premise, self._vocabulary)
        hypothesis = encode(pair.hypothesis, self._vocabulary)
        [[logits]] = self._run(batch([premise], [hypothesis], self._vocabulary))
        return prediction(logits / self._temperature)
