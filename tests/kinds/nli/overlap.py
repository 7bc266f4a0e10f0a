"""A model of rules, for tests: words of negation contradict, words of the premise are entailed, others are neutral."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction, Probabilities

NEGATIONS = frozenset(["no", "not", "never", "nobody", "nothing", "false", "none", "nowhere"])


class Overlap:
    """`source` is the share of a hypothesis's words from which on they count as the premise's."""

    query_type: ClassVar[type[Pair]] = Pair

    def __init__(self, source: str, _options: LoadOptions) -> None:
        self._enough = float(source)
        self.identity = ModelIdentity(f"overlap-{source}", "nli", "0" * 64, "fp32")

    def predict(self, queries: Sequence[Pair]) -> list[Prediction]:
        return [self._prediction(query) for query in queries]

    def _prediction(self, pair: Pair) -> Prediction:
        premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
        share = len(hypothesis & premise) / len(hypothesis)
        label: Label = "entailment" if share >= self._enough else "neutral"
        if hypothesis & NEGATIONS:
            label = "contradiction"
        sure = 0.5 + share / 4
        probabilities = {name: sure if name == label else (1 - sure) / 2 for name in LABELS}
        return Prediction(label=label, probabilities=Probabilities(**probabilities))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,:;!?'\"").lower() for word in text.split())


BACKEND = Backend(Overlap, frozenset({"nli"}))
