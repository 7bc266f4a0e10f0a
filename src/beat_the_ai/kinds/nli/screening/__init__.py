"""Training and qualification of newcomers to adversarial NLI: labels by example, pairs to label, hypotheses to write.

The paper says of its workers only that they had qualifications ("Annotation details"): the quiz is this project's.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.kinds.nli.screening.content import load_content
from beat_the_ai.kinds.nli.screening.newcomers import PairNewcomers
from beat_the_ai.kinds.nli.screening.quiz import PairQuiz
from beat_the_ai.kinds.nli.writing import HypothesisWriting


@dataclass(frozen=True)
class PairScreening:
    """Quizzes, graded by the rules of a round's hypotheses."""

    writing: HypothesisWriting

    def load_quiz(self, path: Path) -> PairQuiz:
        return PairQuiz(load_content(path, self.writing), self.writing)

    def newcomers(self, path: Path) -> PairNewcomers:
        return PairNewcomers(load_content(path, self.writing))
