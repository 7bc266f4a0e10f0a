"""Simulated newcomers who take a quiz: good, sloppy and malicious ones.

The good know the quiz's keys, as a person finds them by reading. The sloppy mistake some of the labels, and look again
when they are told. The malicious want the pay and the qualification without the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.screening.content import LABELLING, QuizContent
from beat_the_ai.rules.protocol import Json

SLOPPY_ERROR_RATE = 0.1  # of each label that a sloppy newcomer gives
GIBBERISH = ("asdf jkl qwer", "good very nice", "text text text", "statement number one")


@dataclass(frozen=True)
class PairNewcomers:
    """Newcomers to one quiz."""

    quiz: QuizContent

    def response(self, manner: str, step: str, chance: Random) -> Json:
        if step != LABELLING:
            return {"hypothesis": chance.choice(GIBBERISH)} if manner == "malicious" else self.quiz.right_response(step)
        error_rate = {"good": 0.0, "sloppy": SLOPPY_ERROR_RATE, "malicious": 1.0}[manner]
        return {"labels": [self._said(label, error_rate, chance) for label in self.quiz.labels]}

    def works(self, manner: str, brief: Json, chance: Random) -> Sequence[Json]:
        """One hypothesis, whatever the model says of it."""
        malicious = manner == "malicious"
        hypothesis = chance.choice(GIBBERISH) if malicious else self.quiz.sample.references[brief["target"]]
        return [{"hypothesis": hypothesis}]

    @staticmethod
    def _said(label: str, error_rate: float, chance: Random) -> str:
        """The key, or any label at all."""
        return chance.choice(LABELS) if chance.random() < error_rate else label
