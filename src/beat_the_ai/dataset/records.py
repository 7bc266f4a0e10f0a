"""The rows of a dataset: its examples, in the columns of their kind of task, and a second table of every attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import Field, ValidationError, create_model

from beat_the_ai.dataset.balance import stratum
from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.rules.adjudication import Outcome, Validity
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.ids import worker_pseudonym
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import PredictionT, Value
from beat_the_ai.store import AttemptInCampaign, Campaign
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import Division

WorkT = TypeVar("WorkT", bound=Value)
ScoresT = TypeVar("ScoresT", bound=Value)
VoteT = TypeVar("VoteT", bound=Value)


class Model(Value):
    member: str = Field(description="the member of the pool that was drawn for the attempt")
    name: str = Field(description="the model's name")
    hash: str = Field(description="a hash of its weights")
    precision: str = Field(description="the precision of its weights, such as fp32 or int8")


class MadeOf(Value):
    id: str = Field(description="the suggestion's id in the file of suggestions")
    model: str = Field(description="the model that made the suggestion")
    edited: bool = Field(description="the writer changed the suggestion")
    distance: int = Field(
        description="edit distance of the typed text from the suggestion, in characters (Levenshtein)"
    )


class AttemptRow(Value, Generic[WorkT, PredictionT, ScoresT]):
    """One row of the second table: what was written, the model's answer, the verdict."""

    attempt_id: str = Field(description="the attempt's id")
    context_id: str = Field(description="the context's id")
    context: str = Field(description="the context's text")
    work: WorkT = Field(description="the work that the writer submitted to the model")
    prediction: PredictionT = Field(description="the model's prediction")
    scores: ScoresT = Field(description="the figures that decided the verdict")
    fooled: bool = Field(description="the attempt beat the model, before any votes")
    retracted: bool = Field(description="the writer retracted the attempt")
    flag: str | None = Field(description="the problem that the writer reported; empty if none")
    part: str | None = Field(description="train, dev or test; empty if the attempt belongs to no part")
    context_part: str | None = Field(description="the part of the context, whether or not the attempt belongs to it")
    part_by: str | None = Field(
        description="the rule that gave the context its part: drawn (by the seed), handed_in (from a file), "
        "exclusive_writer (one wrote on it) or size (its former part had enough examples)"
    )
    exclusive: bool = Field(description="the writer writes for the test part only")
    dropped: str | None = Field(description="the reason why the attempt is not in the dataset; empty if it is")
    discarded_by: str | None = Field(
        description="who discarded all work of the writer: reviewer (a revocation) or votes (too little of "
        "it was kept); empty if nobody did"
    )
    admitted: bool | None = Field(
        description="a reviewer admitted a doubtful attempt, or did not; empty if it was not in doubt"
    )
    model: Model = Field(description="the model in the loop")
    worker: str = Field(
        description="the writer's pseudonym: a keyed hash, the same throughout this campaign and in no other"
    )
    hit: str = Field(description="the HIT's id")
    assignment: str = Field(description="the id of the writer's assignment of the HIT")
    ordinal: int = Field(description="the attempt's number within the assignment, from 1")
    tries_left: int | None = Field(
        description="the tries that the HIT has left after the attempt; empty if the terms set no limit"
    )
    round: int = Field(description="the round's number, from 1")
    arm: str | None = Field(description="the writer's arm; empty in a round without arms")
    language: str = Field(description="the language of the round's data (BCP 47)")
    genre: str | None = Field(description="the context's genre, such as news; empty if contexts have none")
    seconds: float = Field(description="seconds from the acceptance of the HIT to the attempt")
    suggestion: MadeOf | None = Field(description="the suggestion that the work was made of; empty without suggestions")
    created_at: str = Field(description="the time of the attempt (ISO 8601, UTC)")


class AttemptVote(Value, Generic[VoteT]):
    worker: str = Field(description="the validator's pseudonym")
    vote: VoteT = Field(description="the validator's vote")
    agrees: bool = Field(description="the vote agrees with the writer")
    counts: bool = Field(description="the vote counts: its validator does well on works whose labels are known")


class CheckedAttemptRow(AttemptRow[WorkT, PredictionT, ScoresT], Generic[WorkT, PredictionT, ScoresT, VoteT]):
    """With what other people say of it."""

    is_checked: bool = Field(
        description="the context's part is validated: every attempt of it that beats the model is put to the vote"
    )
    status: str | None = Field(description="the outcome of the votes; empty if nobody has voted")
    label: str | None = Field(description="the final label by the votes; empty if there is none")
    votes_saved: int = Field(description="votes that were not needed, because the status was certain without them")
    validation: str | None = Field(
        description="valid, invalid or undecided: whether the attempt beat the model, by the votes; empty if nobody "
        "has voted"
    )
    votes: list[AttemptVote[VoteT]] = Field(description="the validators' votes")


@lru_cache
def row_type(
    work: type[Value],
    prediction: type[Value],
    scores: type[Value],
    vote: type[Value] | None,
    explanation: type[Value] | None,
    balanced_by: Sequence[str],
) -> type[Value]:
    """Return the row type of the second table, for a kind of task with these records.

    `vote` is None where nobody checks, `explanation` where writers explain nothing; `balanced_by` is the dataset's.
    """
    row: type[Value] = AttemptRow[work, prediction, scores]  # type: ignore[valid-type]
    if vote is not None:
        row = CheckedAttemptRow[work, prediction, scores, vote]  # type: ignore[valid-type]
    columns: dict[str, Any] = {}
    if balanced_by:
        meaning = f"the {' and '.join(balanced_by)}, by which the part may be balanced; empty if there is no part"
        columns["stratum"] = (list[str] | None, Field(description=meaning))
    if explanation is not None:
        meaning = "the writer's explanation, if the model was beaten"
        columns["explanation"] = (explanation | None, Field(description=meaning))
    return create_model(row.__name__, __base__=row, **columns)


def attempt_type(kind: Kind) -> type[Value]:
    """Return the columns of the second table."""
    work: type[Value] = kind.writing.work_type
    prediction: type[Value] = kind.writing.prediction_type
    vote = None if kind.checking is None else kind.checking.vote_type
    explanation, balanced_by = kind.writing.explanation_type, tuple(kind.dataset.balanced_by)
    return row_type(work, prediction, kind.writing.scores_type, vote, explanation, balanced_by)


@dataclass(frozen=True)
class Placed:
    """An attempt, its place in the dataset, and what votes on it come to; None where nobody has given any.

    `example` is None for what belongs to no part. `dropped` says why it is not in the dataset; None for what is.
    `context_part` is the part of its context, whatever became of the attempt; None for a sample of the screening.
    `exclusive`: its writer writes for the test part alone. `part_by` and `discarded_by` are as in `AttemptRow`.
    `is_checked`: people are asked about all that beat the model in the part of its context. `votes_are_saved`: they are
    asked no more once a status is certain. `tries_left`: that its HIT has after it, None where the terms do not say.
    """

    row: AttemptInCampaign
    example: Example | None
    dropped: str | None
    context_part: str | None
    exclusive: bool = False
    outcome: Outcome | None = None
    part_by: str | None = None
    discarded_by: str | None = None
    is_checked: bool = False
    votes_are_saved: bool = False
    tries_left: int | None = None

    @property
    def validity(self) -> Validity | None:
        return None if self.outcome is None else self.outcome.validity


def example(row: AttemptInCampaign, part: str, outcome: Outcome | None, division: Division) -> Example:
    """Return the example that an attempt makes. `division` is that of its round."""
    attempt = row.attempt
    return Example(
        attempt.id,
        part,
        row.hit.context,
        attempt.work,
        outcome.adjudication.label if outcome else None,
        attempt.model_name,
        attempt.prediction,
        attempt.fooled and not (outcome is not None and outcome.adjudication.model_right),
        row.hit.round,
        division.is_exclusive(row.assignment.worker),
        attempt.explanation,
        row.assignment.arm,
        () if outcome is None else tuple(vote.vote for vote in outcome.votes),
    )


def attempt_row(placed: Placed, campaign: BoundCampaign) -> Value:
    """Return one row of the second table.

    Raises `InvalidInput` for stored work that is not as its kind of task says.
    """
    row, example, kind = placed.row, placed.example, campaign.kind
    attempt, hit = row.attempt, row.hit
    fields: dict[str, Any] = {
        "attempt_id": attempt.id,
        "context_id": hit.context.id,
        "context": hit.context.text,
        "work": attempt.work,
        "prediction": attempt.prediction,
        "scores": attempt.scores,
        "fooled": attempt.fooled,
        "retracted": attempt.retracted,
        "flag": attempt.flag_reason,
        "part": example.part if example else None,
        "context_part": placed.context_part,
        "part_by": placed.part_by,
        "exclusive": placed.exclusive,
        "dropped": placed.dropped,
        "discarded_by": placed.discarded_by,
        "admitted": attempt.admitted,
        "model": {
            "member": attempt.member,
            "name": attempt.model_name,
            "hash": attempt.model_hash,
            "precision": attempt.model_precision,
        },
        "worker": pseudonym(row.assignment.worker, campaign.record),
        "hit": hit.id,
        "assignment": row.assignment.id,
        "ordinal": attempt.ordinal,
        "tries_left": placed.tries_left,
        "round": hit.round,
        "arm": row.assignment.arm,
        "language": campaign.rounds[hit.round].terms.language.data,
        "genre": kind.genre(hit.context) or None,
        "seconds": seconds_to(row),
        "suggestion": attempt.suggestion,
        "created_at": attempt.created_at.isoformat(),
    }
    if kind.checking is not None:
        fields |= _checked_columns(placed, campaign.record)
    if kind.dataset.balanced_by:
        fields["stratum"] = list(stratum(example, kind.dataset)) if example else None
    if kind.writing.explanation_type is not None:
        fields["explanation"] = attempt.explanation
    return checked_row(attempt_type(kind), fields, f"The attempt {attempt.id}", kind)


@lru_cache
def _type_with_arm(record: type[Value]) -> type[Value]:
    meaning = "the writer's arm; empty in a round without arms"
    columns: Any = {"arm": (str | None, Field(description=meaning))}
    return create_model(record.__name__, __base__=record, **columns)


def example_type(campaign: BoundCampaign) -> type[Value]:
    """Return the columns of an example: those of its kind of task, and `arm` where a round of the campaign has arms."""
    record = campaign.kind.dataset.example_type
    return _type_with_arm(record) if campaign.has_arms else record


def example_row(example: Example, campaign: BoundCampaign) -> Value:
    """Return an example in the columns of `example_type`."""
    row = campaign.kind.dataset.row(example)
    if not campaign.has_arms:
        return row
    return example_type(campaign).model_validate({**row.model_dump(), "arm": example.arm})


def checked_row(row_type: type[Value], fields: Mapping[str, Any], what: str, kind: Kind) -> Value:
    """Raises `InvalidInput` that says `what` does not fit."""
    try:
        return row_type.model_validate(fields)
    except ValidationError as error:
        fault = first_fault(error, "")
        message = f"{what} does not fit the columns of {kind.name}: {fault.place}: {fault.reason}."
        raise InvalidInput("columns", message) from None


def seconds_to(row: AttemptInCampaign) -> float:
    """Return the time from the acceptance of the HIT to the attempt."""
    return (row.attempt.created_at - row.assignment.accepted_at).total_seconds()


def _checked_columns(placed: Placed, campaign: Campaign) -> dict[str, Any]:
    outcome = placed.outcome
    adjudication = outcome.adjudication if outcome else None
    is_saved = placed.votes_are_saved and adjudication is not None and adjudication.settled
    return {
        "is_checked": placed.is_checked,
        "status": adjudication.status if adjudication else None,
        "label": adjudication.label if adjudication else None,
        "votes_saved": adjudication.votes_needed if adjudication and is_saved else 0,
        "validation": outcome.validity.value if outcome else None,
        "votes": _votes(outcome, campaign),
    }


def _votes(outcome: Outcome | None, campaign: Campaign) -> list[Mapping[str, Any]]:
    return [
        {
            "worker": pseudonym(vote.worker, campaign),
            "vote": vote.vote,
            "agrees": vote.agrees,
            "counts": vote.counts,
        }
        for vote in (outcome.cast if outcome else ())
    ]


def pseudonym(worker: str, campaign: Campaign) -> str:
    """Return the worker's stand-in within one campaign: a keyed hash, of no use without the store."""
    return _pseudonym(worker, campaign.pseudonym_key)


@lru_cache(maxsize=10_000)
def _pseudonym(worker: str, key: str) -> str:
    return worker_pseudonym(worker, key)
