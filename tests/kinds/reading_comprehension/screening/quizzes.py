"""A small quiz of the tests' own, and a desk of screenings with a model that obeys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from beat_the_ai.kinds.reading_comprehension.screening.content import QuizContent
from beat_the_ai.kinds.reading_comprehension.screening.loading import load_content
from beat_the_ai.kinds.reading_comprehension.screening.newcomers import ReadingNewcomers
from beat_the_ai.kinds.reading_comprehension.screening.quiz import ReadingQuiz
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from beat_the_ai.workforce.screening import ScreeningDesk, open_screening_desk
from tests.writing.fakes import FakeModel

ROOT = Path(__file__).parents[4]
SHIPPED = ROOT / "qualification" / "quizzes" / "reading_comprehension.yaml"
WELL = "The old well was dug by nuns in 1340. A donkey turned its wheel for six centuries, until a storm took the roof."
SAMPLE = "Rome fell in 476. The last emperor was Romulus Augustulus of old."
GOOD: dict[str, dict[str, Any]] = {
    "q1": {"question": "Who made the water reachable?"},
    "a1": {"answer": {"text": "six centuries", "start": WELL.index("six centuries")}},
    "p1": {"question": "What was lost in bad weather?", "answer": {"text": "roof", "start": WELL.index("roof")}},
}


def content(**changes: Any) -> dict[str, Any]:
    """A quiz as it stands in its file."""
    quiz: dict[str, Any] = {
        "name": "small",
        "passages": {"well": {"title": "The well", "text": WELL}, "rome": {"title": "Rome", "text": SAMPLE}},
        "steps": [
            {
                "id": "q1",
                "kind": "question",
                "passage": "well",
                "answer": "nuns",
                "hints": ["first hint", "second hint"],
                "reference": "Who dug it?",
            },
            {
                "id": "a1",
                "kind": "answer",
                "passage": "well",
                "question": "For how long did an animal work here?",
                "accepted": ["six centuries", "for six centuries"],
                "hints": ["It is a time."],
            },
            {
                "id": "p1",
                "kind": "pair",
                "passage": "well",
                "reference": {"question": "What did bad weather do away with?", "answer": "roof"},
            },
        ],
        "sample": {
            "passage": "rome",
            "min_attempts": 2,
            "wins_wanted": 2,
            "max_wins": 3,
            "max_tries": 4,
            "questions": [
                {"question": "When was it over?", "answer": "476"},
                {"question": "Who ruled last?", "answer": "Romulus Augustulus"},
                {"question": "Which town is meant?", "answer": "Rome"},
            ],
        },
    }
    return {**quiz, **changes}


def written(path: Path, quiz: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump(quiz, allow_unicode=True), encoding="utf-8")
    return path


def load_quiz(path: Path) -> QuizContent:
    return load_content(path, ReadingComprehension())


def shipped_newcomers() -> ReadingNewcomers:
    return ReadingNewcomers(load_quiz(SHIPPED))


def content_at(desk: ScreeningDesk) -> QuizContent:
    assert isinstance(desk.quiz, ReadingQuiz)
    return desk.quiz.content


def small_quiz(folder: Path, **changes: Any) -> QuizContent:
    return load_quiz(written(folder / "quiz.yaml", content(**changes)))


def new_screening_desk(store: Store, quiz: QuizContent, model: FakeModel | None = None, **more: Any) -> ScreeningDesk:
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()))
    terms = {"reward_cents": 200, "time_limit_seconds": 3600, **more}
    workforce = Workforce(BoundCampaign.open(store, campaign.id))
    writing = ReadingComprehension()
    bound = ReadingQuiz(quiz, writing)
    return open_screening_desk(
        BoundCampaign.open(store, campaign.id), bound, writing, model or FakeModel(), workforce=workforce, **terms
    )
