"""Training and qualification of newcomers."""

from beat_the_ai.workforce.screening.desk import (
    FAILED,
    INCOMPLETE,
    PASSED,
    ScreeningDesk,
    ScreeningState,
    open_screening_desk,
    sample_terms,
)
from beat_the_ai.workforce.screening.page import page_config, page_response, page_screening

__all__ = [
    "FAILED",
    "INCOMPLETE",
    "PASSED",
    "ScreeningDesk",
    "ScreeningState",
    "open_screening_desk",
    "page_config",
    "page_response",
    "page_screening",
    "sample_terms",
]
