"""What the store gives back and takes: one frozen record per table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beat_the_ai.rules.protocol import Context


@dataclass(frozen=True)
class Campaign:
    """One collection effort. `pseudonym_key` keys the hash that stands for worker ids in exports.

    After `closed_at` nobody gets a HIT any more; whoever has one may finish it.
    """

    id: str
    task: str
    seed: int
    pseudonym_key: str
    config: Mapping[str, Any]
    created_at: datetime
    closed_at: datetime | None = None


@dataclass(frozen=True)
class Hit:
    """One piece of work on offer: a context, and which of its slots this is."""

    id: str
    campaign_id: str
    context: Context
    round: int
    slot: int


@dataclass(frozen=True)
class Assignment:
    """One worker's acceptance of a HIT. `registration` is the crowd's own name for it."""

    id: str
    hit_id: str
    worker: str
    registration: str
    accepted_at: datetime
    submitted_at: datetime | None = None
    feedback: str | None = None


@dataclass(frozen=True)
class Attempt:
    """One thing a writer submitted, the prediction, and the verdict. `key` is unique within its assignment."""

    id: str
    assignment_id: str
    key: str
    ordinal: int
    work: Mapping[str, Any]
    prediction: Mapping[str, Any]
    fooled: bool
    scores: Mapping[str, float]
    member: str
    model_name: str
    model_hash: str
    model_precision: str
    created_at: datetime
    retracted_at: datetime | None = None
    flag_reason: str | None = None
    flag_note: str | None = None

    @property
    def retracted(self) -> bool:
        return self.retracted_at is not None


@dataclass(frozen=True)
class AttemptInCampaign:
    """An attempt with what it belongs to: the row of every export."""

    attempt: Attempt
    assignment: Assignment
    hit: Hit


@dataclass(frozen=True)
class StandingEvent:
    """One change of a worker's standing. `by` is a reviewer, `registration` the crowd's name for the page it is about.

    `answer` is what the crowd last said to it: "confirmed", "declined", "unanswered", or None before it was asked.
    """

    id: int
    campaign_id: str
    worker: str
    standing: str
    by: str
    reason: str
    registration: str | None
    at: datetime
    answer: str | None = None
    answer_note: str | None = None


@dataclass(frozen=True)
class Draw:
    """An assignment in the review sample; `completed` is how many its worker had submitted when it was drawn."""

    assignment_id: str
    completed: int
    at: datetime


@dataclass(frozen=True)
class Review:
    """One event of a reviewer's judgement on a sampled assignment; `verdict` is "accept", "reject" or "undo"."""

    id: int
    assignment_id: str
    reviewer: str
    verdict: str
    reason: str
    at: datetime


@dataclass(frozen=True)
class Telemetry:
    """How a question came to be, as the page tells it: it is evidence, and no more to be trusted than the page is.

    Counts since the question was begun, over all of its attempts; `first_key_seconds` is None when nothing was typed.
    """

    pastes: int
    pasted_chars: int
    keystrokes: int
    focused_seconds: float
    first_key_seconds: float | None = None
