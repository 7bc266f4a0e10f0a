"""Simulated newcomers who take a quiz: good, sloppy and malicious ones.

The good know the quiz's keys, as a person finds them by reading. The sloppy mistake some of the labels, and look again
when they are told. The malicious want the pay and the qualification without the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.people import known_hypotheses
from beat_the_ai.kinds.nli.screening.content import LABELLING, QuizContent
from beat_the_ai.rules.protocol import Json

ERROR_RATES = {"good": 0.0, "sloppy": 0.1, "malicious": 1.0}  # how often a label is any label
GIBBERISH = ("asdf jkl qwer", "good very nice", "text text text", "statement number one")


@dataclass(frozen=True)
class PairNewcomers:
    """Newcomers to one quiz."""

    quiz: QuizContent

    def response(self, persona: str, step: str, rng: Random) -> Json:
        if step == LABELLING:
            return {"labels": [self._label(key, ERROR_RATES[persona], rng) for key in self.quiz.labels]}
        return {"hypothesis": rng.choice(GIBBERISH)} if persona == "malicious" else self.quiz.right_response(step)

    def works(self, persona: str, brief: Json, rng: Random) -> Sequence[Json]:
        """One hypothesis, whatever the model says of it."""
        if persona == "malicious":
            return [{"hypothesis": rng.choice(GIBBERISH)}]
        right = [text for text, label in known_hypotheses(self.quiz.sample) if label == brief["target"]]
        return [{"hypothesis": rng.choice(right)}]

    @staticmethod
    def _label(key: str, error_rate: float, rng: Random) -> str:
        return rng.choice(LABELS) if rng.random() < error_rate else key
