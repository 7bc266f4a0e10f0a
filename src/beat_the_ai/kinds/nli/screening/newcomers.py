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

    def response(self, persona: str, step: str, chance: Random) -> Json:
        if step == LABELLING:
            return {"labels": [self._label(key, ERROR_RATES[persona], chance) for key in self.quiz.labels]}
        return {"hypothesis": chance.choice(GIBBERISH)} if persona == "malicious" else self.quiz.right_response(step)

    def works(self, persona: str, brief: Json, chance: Random) -> Sequence[Json]:
        """One hypothesis, whatever the model says of it."""
        if persona == "malicious":
            return [{"hypothesis": chance.choice(GIBBERISH)}]
        right = [text for text, label in known_hypotheses(self.quiz.sample) if label == brief["target"]]
        return [{"hypothesis": chance.choice(right)}]

    @staticmethod
    def _label(key: str, error_rate: float, chance: Random) -> str:
        return chance.choice(LABELS) if chance.random() < error_rate else key
