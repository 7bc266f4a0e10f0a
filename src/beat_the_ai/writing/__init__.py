"""Adversarial writing: attempts, tries, verdicts, retractions."""

from beat_the_ai.writing.hints import HintDesk
from beat_the_ai.writing.open_hits import Offers, OpenHits
from beat_the_ai.writing.page import ArmPage, page_attempt, page_standing, page_state, page_suggestions, page_task
from beat_the_ai.writing.session import DeskArms, HitState, WriterTerms, WritingDesk
from beat_the_ai.writing.suggestions import Origin, Suggested, SuggestionDesk, SuggestionPool

__all__ = [
    "ArmPage",
    "DeskArms",
    "HintDesk",
    "HitState",
    "Offers",
    "OpenHits",
    "Origin",
    "Suggested",
    "SuggestionDesk",
    "SuggestionPool",
    "WriterTerms",
    "WritingDesk",
    "page_attempt",
    "page_standing",
    "page_state",
    "page_suggestions",
    "page_task",
]
