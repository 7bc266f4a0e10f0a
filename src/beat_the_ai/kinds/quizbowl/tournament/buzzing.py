"""The moment of a model's buzz: after the first word at which its best guess is sure enough, else at the end.

The threshold is measured on questions that are not played. It maximises the points that a model may expect against
people who buzz as the paper's players did ("Trick Me If You Can", §4.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, NamedTuple

from pydantic import Field

from beat_the_ai.kinds.quizbowl.guesses import Prediction
from beat_the_ai.kinds.quizbowl.tournament.match import Outcome, Scoring
from beat_the_ai.rules.protocol import Value

THRESHOLDS = [step / 20 for step in range(20)]
EARLIEST_WORDS = (1, 5, 10, 20)


class Plan(NamedTuple):
    """After how many words a model buzzes, and the page that it says."""

    word: Annotated[int, Field(ge=1)]
    page: str


class BuzzRule(Value):
    """Above the `threshold` of confidence, and not before the `earliest` word.

    A first word that only one text has makes a model sure of anything: confidence alone does not tell.
    """

    threshold: float = Field(ge=0, le=1)
    earliest: int = Field(ge=1)

    def plan(self, prediction: Prediction) -> Plan | None:
        """None of a question that says nothing to the model."""
        confidences = enumerate(prediction.confidences, start=1)
        sure = (word for word, confidence in confidences if word >= self.earliest and confidence > self.threshold)
        word = next(sure, len(prediction.confidences))
        page = prediction.guess_at(word)
        return None if page is None else Plan(word, page)


@dataclass(frozen=True)
class People:
    """A team that has buzzed by the share s of a question with probability s^k, which has the mean `position`.

    On regular questions players buzzed with 28.3% of the words left, and 84.2% of their answers were right (§4.1).
    """

    position: float = 0.717
    accuracy: float = 0.842

    def has_buzzed_by(self, share: float) -> float:
        return math.pow(share, self.position / (1 - self.position))


@dataclass(frozen=True)
class Calibration:
    """The rule that does best, and the `points` a tossup that it may expect, on so many questions."""

    rule: BuzzRule
    points: float
    questions: int


def calibrate(answered: Sequence[tuple[Prediction, str]], scoring: Scoring) -> Calibration:
    """From predictions of questions, each with its page; of rules that are equally good the most careful."""
    people = People()
    rules = [
        BuzzRule(threshold=threshold, earliest=earliest) for threshold, earliest in product(THRESHOLDS, EARLIEST_WORDS)
    ]
    points = {
        rule: sum(expected_points(rule, prediction, page, scoring, people) for prediction, page in answered)
        for rule in rules
    }
    best = max(rules, key=lambda rule: (points[rule], rule.threshold, rule.earliest))
    return Calibration(best, points[best] / len(answered), len(answered))


def expected_points(rule: BuzzRule, prediction: Prediction, page: str, scoring: Scoring, people: People) -> float:
    """Return the expected points of a tossup: if people have not buzzed before, or were wrong."""
    plan = rule.plan(prediction)
    if plan is None:
        return 0.0
    length = len(prediction.confidences)
    earlier = people.has_buzzed_by(plan.word / length)
    if plan.page == page:
        early = plan.word <= scoring.power_share * length
        gain = scoring.points[Outcome.POWER if early else Outcome.CORRECT]
        return (1 - earlier * people.accuracy) * gain
    return (1 - earlier) * scoring.points[Outcome.INTERRUPT] if plan.word < length else 0.0
