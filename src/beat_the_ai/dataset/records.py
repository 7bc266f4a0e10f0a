"""The rows of a dataset: its examples in the columns of AdversarialQA, and a second table of every attempt."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from beat_the_ai.dataset.parts import DEV, PARTS
from beat_the_ai.dataset.validation import Outcome, Validation
from beat_the_ai.store import AttemptInCampaign, Campaign

# The names that the Hugging Face hub gives to parts, AdversarialQA's among them.
SPLITS = {part: "validation" if part == DEV else part for part in PARTS}
DISCARDED = "discarded"
SCORES = ("f1", "f1_threshold")  # older attempts lack some
HUGGING_FACE_FOLDER = "hf"
HUGGING_FACE_ATTEMPTS = "attempts"


@dataclass(frozen=True)
class Example:
    """A question of the dataset; `answer_start` counts code points of the passage."""

    id: str
    part: str
    title: str
    context_id: str
    context: str
    question: str
    answer: str
    answer_start: int
    model: str

    def row(self) -> dict[str, Any]:
        """In the columns of AdversarialQA."""
        return {
            "id": self.id,
            "title": self.title,
            "context": self.context,
            "question": self.question,
            "answers": {"text": [self.answer], "answer_start": [self.answer_start]},
            "metadata": {"split": SPLITS[self.part], "model_in_the_loop": self.model},
        }


def example(row: AttemptInCampaign, part: str) -> Example:
    attempt, context = row.attempt, row.hit.context
    answer = attempt.work["answer"]
    return Example(
        id=attempt.id,
        part=part,
        title=context.title,
        context_id=context.id,
        context=context.text,
        question=attempt.work["question"],
        answer=answer["text"],
        answer_start=answer["start"],
        model=attempt.model_name,
    )


def dropped_because(row: AttemptInCampaign, part: str, validation: Validation) -> str | None:
    """Why an attempt is not in the dataset; None when it is."""
    if row.attempt.retracted:
        return "retracted"
    if not row.attempt.fooled:
        return "model_right"
    if validation.keeps(row.attempt.id, row.hit.round, part):
        return None
    status = validation.status(row.attempt.id)
    return status.value if status else "not_validated"


def excluded_because(row: AttemptInCampaign, validation: Validation) -> str | None:
    """Why an attempt belongs to no part of the dataset, whatever it says; None when it belongs to its passage's."""
    if row.assignment.set_aside_at is not None:
        return "set_aside"
    if not row.assignment.counts:
        return "not_handed_in" if row.assignment.submitted_at is None else "not_confirmed"
    return DISCARDED if row.assignment.worker in validation.discarded_workers else None


def placed(row: AttemptInCampaign, part: str, validation: Validation) -> tuple[str | None, str | None]:
    """The part that an attempt belongs to, `part` being its passage's, and why it is not in the dataset."""
    excluded = excluded_because(row, validation)
    return (None, excluded) if excluded is not None else (part, dropped_because(row, part, validation))


def attempt_record(
    row: AttemptInCampaign, campaign: Campaign, part: str | None, dropped: str | None, validation: Validation
) -> dict[str, Any]:
    """One row of the second table: what was written, the model's answer, the verdict, the votes of other people.

    `part` is None for what belongs to none (`excluded_because`).
    """
    attempt, hit = row.attempt, row.hit
    outcome = validation.outcomes.get(attempt.id)
    return {
        "attempt_id": attempt.id,
        "context_id": hit.context.id,
        "context": hit.context.text,
        **attempt.work,
        "model_answer": attempt.prediction,
        **dict.fromkeys(SCORES),
        **attempt.scores,
        "fooled": attempt.fooled,
        "retracted": attempt.retracted,
        "flag": attempt.flag_reason,
        "validation": outcome.status.value if outcome else None,
        "votes": _votes(outcome, campaign),
        "part": part,
        "dropped": dropped,
        "model": {"name": attempt.model_name, "hash": attempt.model_hash, "precision": attempt.model_precision},
        "worker": pseudonym(row.assignment.worker, campaign),
        "hit": hit.id,
        "assignment": row.assignment.id,
        "try": attempt.ordinal,
        "round": hit.round,
        "created_at": attempt.created_at.isoformat(),
    }


def _votes(outcome: Outcome | None, campaign: Campaign) -> list[Mapping[str, Any]]:
    return [
        {
            "worker": pseudonym(vote.validator, campaign),
            "answer": vote.answer,
            "answer_start": vote.answer_start,
            "agrees": vote.agrees,
            "counts": vote.counts,
        }
        for vote in (outcome.votes if outcome else ())
    ]


def pseudonym(worker: str, campaign: Campaign) -> str:
    """The worker's stand-in within one campaign: a keyed hash, of no use without the store."""
    digest = hmac.new(campaign.pseudonym_key.encode(), worker.encode(), hashlib.sha256)
    return f"w-{digest.hexdigest()[:16]}"
