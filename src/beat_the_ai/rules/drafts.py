"""Drafts on the way to an attempt, each with the model's prediction, as the kinds' reports read them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.rules.protocol import Json


@dataclass(frozen=True)
class AnsweredDraft:
    """The `ordinal`-th draft of an assignment, which might become its `attempt`-th attempt, as it stood `at` a time."""

    assignment: str
    attempt: int
    ordinal: int
    draft: Json
    prediction: Json
    model_hash: str | None
    at: datetime
