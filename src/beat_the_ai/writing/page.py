"""The data of a HIT that a worker's page may have: never the author, nor anything private of the context."""

from __future__ import annotations

from typing import Any

from beat_the_ai.store import Attempt
from beat_the_ai.writing.session import HitState


def page_state(state: HitState) -> dict[str, Any]:
    return {"attempts": [page_attempt(attempt) for attempt in state.attempts], **page_standing(state)}


def page_standing(state: HitState) -> dict[str, Any]:
    """The state without the attempts, which a page that has just submitted one has already."""
    return {
        "wins": state.wins,
        "tries_left": state.tries_left,
        "complete": state.complete,
        "seconds_left": round(state.seconds_left),
        "bonus_cents": state.prospect.cents,
        "possible_bonus_cents": state.prospect.possible_cents,
        "is_checked": state.is_checked,
        "tries_missing": state.tries_missing,
        "explanations_missing": state.explanations_missing,
    }


def page_attempt(attempt: Attempt) -> dict[str, Any]:
    flag = {"reason": attempt.flag_reason, "note": attempt.flag_note or ""} if attempt.flag_reason else None
    return {
        "attempt_id": attempt.id,
        "work": attempt.work,
        "prediction": attempt.prediction,
        "scores": attempt.scores,
        "fooled": attempt.fooled,
        "retracted": attempt.retracted,
        "flag": flag,
        "explanation": attempt.explanation,
        "doubts": attempt.doubts,
        "admitted": attempt.admitted,
        "created_at": attempt.created_at.isoformat(),
    }
