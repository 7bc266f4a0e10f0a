"""The page's data as JSON. Workers' text goes out unchanged: the page shows it as text only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from beat_the_ai.review.decisions import WorkerDecision
from beat_the_ai.rules.kind import Reading
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import (
    Attempt,
    AttemptInCampaign,
    AuditEntry,
    Edit,
    Proposal,
    Review,
    ScreeningResponse,
    StandingEvent,
    Telemetry,
)
from beat_the_ai.workforce import Agreement, Assessment, Evidence, GateRequest, SampledHit

Json = dict[str, Any]


def time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def worker(one: Assessment, to_judge: int, judged_by_others: int, waiting: Proposal | None) -> Json:
    """`to_judge` of the sampled HITs wait for this reviewer; others judged `judged_by_others` of those."""
    told = {**vars(one), "accuracy": one.accuracy, "proposal": None if waiting is None else proposal(waiting)}
    return {**told, "to_judge": to_judge, "judged_by_others": judged_by_others}


def doubtful(one: AttemptInCampaign, reading: Reading | None) -> Json:
    """A work that waits for a person; `counts` says whether its HIT was handed in and confirmed."""
    attempt = one.attempt
    return {
        "attempt": attempt.id,
        "assignment": one.assignment.id,
        "worker": one.assignment.worker,
        "counts": one.assignment.counts,
        "context": context(one.hit.context),
        "work": dict(attempt.work) if reading is None else _read(reading.work, attempt.work),
        "fooled": attempt.fooled,
        **doubts(attempt),
        "at": time(attempt.created_at),
    }


def doubts(one: Attempt) -> Json:
    return {"doubts": list(one.doubts or ()), "appeal": one.appeal, "admitted": one.admitted}


def edit(one: Edit) -> Json:
    """Return an edit; the model's prediction is None where a newer draft overtook it."""
    told = {name: getattr(one, name) for name in ("ordinal", "attempt", "cause", "draft", "prediction")}
    return {**told, "at": time(one.at)}


def proposal(one: Proposal) -> Json:
    """A revocation that waits for a second person, or what became of it."""
    told = {name: getattr(one, name) for name in ("by", "reason", "outcome", "closed_by")}
    return {**told, "at": time(one.at), "closed_at": time(one.closed_at)}


def request(one: GateRequest, standing: str | None, *, screened: bool) -> Json:
    """A request in the marketplace. `screened`: the worker has handed in a screening, which can be looked at."""
    return {"worker": one.worker, "at": time(one.at), "standing": standing, "screened": screened}


def outcome(one: WorkerDecision) -> Json:
    """Return the outcome of a decision: the new standing, the proposal, or neither if a request was turned down."""
    told = {"worker": one.worker, "standing": None, "by": None, "reason": None, "answer": None, "answer_note": None}
    event = {**told, "at": None} if one.event is None else standing(one.event)
    return {**event, "proposal": None if one.proposal is None else proposal(one.proposal)}


def agreement(one: Agreement) -> Json:
    kappa = [{"reviewers": list(pair), "kappa": value} for pair, value in one.kappa.items()]
    return {"units": one.units, "percent": one.percent, "alpha": one.alpha, "kappa": kappa}


def hit(
    one: SampledHit,
    evidence: Sequence[Evidence],
    votes: Mapping[str, list[Mapping[str, Any]]],
    reviews: Mapping[str, Review],
    reviewer: str,
    edits: int,
    reading: Reading | None,
) -> Json:
    """`edits` counts the drafts that the model has seen, which can be replayed."""
    return {
        "assignment": one.assignment.id,
        "worker": one.assignment.worker,
        "context": context(one.hit.context),
        "accepted_at": time(one.assignment.accepted_at),
        "submitted_at": time(one.assignment.submitted_at),
        "feedback": one.assignment.feedback,
        "edits": edits,
        "evidence": signs(evidence, None),
        "attempts": attempts(one.attempts, one.telemetry, evidence, votes, reading),
        **verdicts(reviews, reviewer),
    }


def verdicts(reviews: Mapping[str, Review], reviewer: str) -> Json:
    """Return the part of `{reviewer: review}` that one reviewer may see.

    Before the reviewer's own review stands, it only tells whether others have reviewed.
    """
    mine = reviews.get(reviewer)
    others = [one for name, one in reviews.items() if name != reviewer]
    return {
        "mine": None if mine is None else review(mine),
        "others": [] if mine is None else [review(other) for other in others],
        "judged_by_others": bool(others),
    }


def review(one: Review) -> Json:
    return {"reviewer": one.reviewer, "verdict": one.verdict, "reason": one.reason, "at": time(one.at)}


def context(one: Context) -> Json:
    """Without what is private of it: reviewers judge what the writer could see."""
    return {"id": one.id, "title": one.title, "text": one.text}


def signs(evidence: Sequence[Evidence], attempt_id: str | None) -> list[Json]:
    """Return the signs in one attempt; with None, those in the HIT as a whole."""
    return [
        {"kind": item.kind, "strength": item.strength, "detail": item.detail}
        for item in evidence
        if item.attempt_id == attempt_id
    ]


def attempts(
    made: Sequence[Attempt],
    telemetry: Mapping[str, Telemetry],
    evidence: Sequence[Evidence],
    votes: Mapping[str, list[Mapping[str, Any]]],
    reading: Reading | None,
) -> list[Json]:
    """`reading` is the kind's: what reviewers read of a work and its prediction, if that is not their fields."""
    return [
        {
            "id": one.id,
            "work": dict(one.work),
            "prediction": dict(one.prediction),
            "reading": None
            if reading is None
            else {"work": _read(reading.work, one.work), "prediction": _read(reading.prediction, one.prediction)},
            "fooled": one.fooled,
            "scores": dict(one.scores),
            "model": one.model_name,
            "created_at": time(one.created_at),
            "retracted_at": time(one.retracted_at),
            "explanation": one.explanation,
            "flag": None if one.flag_reason is None else {"reason": one.flag_reason, "note": one.flag_note},
            "telemetry": asdict(telemetry[one.id]) if one.id in telemetry else None,
            **doubts(one),
            "evidence": signs(evidence, one.id),
            "votes": [dict(vote) for vote in votes.get(one.id, ())],
        }
        for one in made
    ]


def _read(read: Callable[[Mapping[str, Any]], Mapping[str, str]], stored: Mapping[str, Any]) -> Json:
    """Its fields where a stored record is not as the kind of task has it today: a reviewer sees all the same."""
    try:
        return dict(read(stored))
    except ValidationError:
        return dict(stored)


def response(one: ScreeningResponse) -> Json:
    """An answer in the quiz; `mistake` is None for a right one."""
    told = {"step": one.step, "work": dict(one.work), "mistake": one.mistake, "evidence": dict(one.evidence)}
    return {**told, "created_at": time(one.created_at)}


def standing(event: StandingEvent) -> Json:
    """`answer` is what the marketplace said, where it was asked."""
    told = {name: getattr(event, name) for name in ("worker", "standing", "by", "reason", "answer", "answer_note")}
    return {**told, "at": time(event.at)}


def entry(one: AuditEntry) -> Json:
    return {**asdict(one), "at": time(one.at)}
