"""Training and qualification of newcomers to reading comprehension (Bartolo et al. 2020, §3.3 and appendix B)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.kinds.reading_comprehension.screening.loading import load_content
from beat_the_ai.kinds.reading_comprehension.screening.newcomers import ReadingNewcomers
from beat_the_ai.kinds.reading_comprehension.screening.quiz import ReadingQuiz
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension


@dataclass(frozen=True)
class ReadingScreening:
    """Quizzes, graded by the rules of a round's questions."""

    writing: ReadingComprehension

    def load_quiz(self, path: Path) -> ReadingQuiz:
        return ReadingQuiz(load_content(path, self.writing), self.writing)

    def newcomers(self, path: Path) -> ReadingNewcomers:
        return ReadingNewcomers(load_content(path, self.writing))
