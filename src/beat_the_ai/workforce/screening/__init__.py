"""Training and qualification of newcomers: quizzes, their grading, screenings."""

from beat_the_ai.workforce.screening.desk import (
    FAILED,
    INCOMPLETE,
    PASSED,
    SCREENING_OF,
    ScreeningDesk,
    ScreeningState,
    open_screening_desk,
    sample_campaign_id,
)
from beat_the_ai.workforce.screening.loading import load_quiz
from beat_the_ai.workforce.screening.page import page_config, page_response, page_screening
from beat_the_ai.workforce.screening.quiz import Quiz

__all__ = [
    "FAILED",
    "INCOMPLETE",
    "PASSED",
    "SCREENING_OF",
    "Quiz",
    "ScreeningDesk",
    "ScreeningState",
    "load_quiz",
    "open_screening_desk",
    "page_config",
    "page_response",
    "page_screening",
    "sample_campaign_id",
]
