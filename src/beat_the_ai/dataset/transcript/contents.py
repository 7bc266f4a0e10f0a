"""The contents of a transcript's entries. Their fields are fixed by `FORMAT`: whoever has an old export can read it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.dataset.transcript.signature import public_key
from beat_the_ai.dataset.votes import assignment_pseudonym
from beat_the_ai.rules.checking import Gradual
from beat_the_ai.rules.protocol import Json
from beat_the_ai.store import (
    Assignment,
    AttemptInCampaign,
    Head,
    Round,
    StandingEvent,
    ValidationItem,
    ValidationVote,
    now,
)
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.round import RoundTerms

FORMAT = 1


class CampaignFacts:
    """The facts of one campaign (`store.Facts`)."""

    def __init__(self, campaign: BoundCampaign) -> None:
        self._campaign = campaign
        self._record = campaign.record
        self._checking = campaign.checking

    def campaign(self, signing_key: str) -> Json:
        key = public_key(signing_key)
        return {"format": FORMAT, "campaign": self._record.id, "task": self._record.task, "public_key": key}

    def round(self, of: Round) -> Json:
        terms = RoundTerms.of(of)
        return {
            "round": of.number,
            "options": _shareable({} if terms.task is None else terms.task.options),
            "rules": _shareable(terms.validation.rules),
            "language": terms.language.data,
            "models": [dict(model) for model in of.models],
        }

    def standing(self, of: StandingEvent) -> Json:
        return {"worker": pseudonym(of.worker, self._record), "standing": of.standing, "at": of.at.isoformat()}

    def attempt(self, of: AttemptInCampaign) -> Json:
        attempt, hit, assignment = of.attempt, of.hit, of.assignment
        return {
            "attempt_id": attempt.id,
            "context_id": hit.context.id,
            "context_sha256": text_hash(hit.context.text),
            "prompt": hit.brief,
            "work": attempt.work,
            "prediction": attempt.prediction,
            "scores": attempt.scores,
            "fooled": attempt.fooled,
            "retracted": attempt.retracted,
            "flag": attempt.flag_reason,
            "explanation": attempt.explanation,
            "doubted": attempt.doubted,
            "admitted": attempt.admitted,
            "model": {"name": attempt.model_name, "hash": attempt.model_hash, "precision": attempt.model_precision},
            "worker": pseudonym(assignment.worker, self._record),
            "hit": hit.id,
            "assignment": assignment.id,
            "ordinal": attempt.ordinal,
            "round": hit.round,
            "arm": assignment.arm,
            "created_at": attempt.created_at.isoformat(),
            "set_aside": assignment.set_aside_at is not None,
        }

    def vote(self, assignment: Assignment, item: ValidationItem, work: Json, vote: ValidationVote) -> Json:
        """Return a vote. On gold it is told only where gold is no secret, as in the table of votes."""
        checking = self._checking[assignment.round]
        is_told = item.attempt_id is not None or isinstance(checking, Gradual)
        return {
            "assignment": assignment_pseudonym(assignment.id, self._campaign),
            "position": item.position,
            "round": assignment.round,
            "worker": pseudonym(assignment.worker, self._record),
            "attempt_id": item.attempt_id,
            "context_id": item.context_id,
            "vote": vote.vote if is_told else None,
            "agrees": checking.agree(checking.vote_label(vote.vote), checking.author_label(work)),
            "created_at": vote.created_at.isoformat(),
            "set_aside": assignment.set_aside_at is not None,
        }


def record(campaign: BoundCampaign) -> Head:
    """Write what counts or is set aside, and is not in the campaign's transcript yet. Return the transcript's head."""
    transcripts, facts = campaign.store.transcripts, CampaignFacts(campaign)
    while transcripts.extend(campaign.id, facts, now()):
        pass
    head = transcripts.head(campaign.id)
    assert head is not None, "its first entry is there"
    return head


def is_recorded(campaign: BoundCampaign) -> bool:
    """Return whether `record` has nothing to write."""
    return campaign.store.transcripts.is_complete(campaign.id, CampaignFacts(campaign))


def text_hash(text: str) -> str:
    """Return the hash of a context's text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _shareable(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options without files of the requester's machine."""
    return {name: value for name, value in options.items() if not _names_a_file(value)}


def _names_a_file(value: Any) -> bool:
    if isinstance(value, str):
        return value.startswith("/")
    return isinstance(value, list | tuple) and any(map(_names_a_file, value))
