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
from beat_the_ai.rules.ids import keyed_hash
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import PredictionT, Value
from beat_the_ai.store import AttemptInCampaign, Campaign
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import Division

HUGGING_FACE_FOLDER = "hf"
ATTEMPTS = "attempts"  # the second table

WorkT = TypeVar("WorkT", bound=Value)
ScoresT = TypeVar("ScoresT", bound=Value)
VoteT = TypeVar("VoteT", bound=Value)


class Model(Value):
    name: str
    hash: str
    precision: str


class AttemptRow(Value, Generic[WorkT, PredictionT, ScoresT]):
    """One row of the second table: what was written, the model's answer, the verdict."""

    attempt_id: str
    context_id: str
    context: str
    work: WorkT = Field(description="what was written")
    prediction: PredictionT = Field(description="what the model said")
    scores: ScoresT = Field(description="what the verdict depended on")
    fooled: bool = Field(description="the model was beaten")
    retracted: bool = Field(description="the writer took it back")
    flag: str | None = Field(description="what the writer reported about it")
    part: str | None = Field(description="train, dev or test; empty for what belongs to none of them")
    context_part: str | None = Field(description="the part of its context, for what belongs to none of them, too")
    exclusive: bool = Field(description="its writer writes for the test part alone")
    dropped: str | None = Field(description="why it is not in the dataset; empty for what is")
    model: Model = Field(description="in the loop; `hash` is of its weights")
    worker: str = Field(description="a keyed hash: the same person has the same one in this campaign, and in no other")
    hit: str
    assignment: str
    ordinal: int = Field(description="which attempt of the assignment, from 1")
    round: int
    arm: str | None = Field(description="of its writer, in a round with arms")
    created_at: str = Field(description="ISO 8601, UTC")


class AttemptVote(Value, Generic[VoteT]):
    worker: str
    vote: VoteT
    agrees: bool
    counts: bool


class CheckedAttemptRow(AttemptRow[WorkT, PredictionT, ScoresT], Generic[WorkT, PredictionT, ScoresT, VoteT]):
    """With what other people say of it."""

    validation: str | None = Field(
        description="whether it beat the model by the votes of other people: valid, invalid or undecided; empty where "
        "nobody has checked it"
    )
    votes: list[AttemptVote[VoteT]] = Field(
        description="of those who checked it; `counts` is false of people who do badly where the label is known"
    )


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
        meaning = f"the {' and '.join(balanced_by)} by which its part may be balanced; empty where it has no part"
        columns["stratum"] = (list[str] | None, Field(description=meaning))
    if explanation is not None:
        meaning = "what its writer says of it, where the model was beaten"
        columns["explanation"] = (explanation | None, Field(description=meaning))
    return create_model(row.__name__, __base__=row, **columns)


def attempt_type(kind: Kind) -> type[Value]:
    """The columns of the second table."""
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
    `exclusive`: its writer writes for the test part alone.
    """

    row: AttemptInCampaign
    example: Example | None
    dropped: str | None
    context_part: str | None
    exclusive: bool = False
    outcome: Outcome | None = None

    @property
    def validity(self) -> Validity | None:
        return None if self.outcome is None else self.outcome.validity


def example(row: AttemptInCampaign, part: str, outcome: Outcome | None, division: Division) -> Example:
    """`division` is that of its round."""
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
    )


def attempt_row(placed: Placed, campaign: Campaign, kind: Kind) -> Value:
    """Return one row of the second table.

    Raises `InvalidInput` for stored work that is not as its kind of task says.
    """
    row, example, outcome = placed.row, placed.example, placed.outcome
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
        "exclusive": placed.exclusive,
        "dropped": placed.dropped,
        "model": {"name": attempt.model_name, "hash": attempt.model_hash, "precision": attempt.model_precision},
        "worker": pseudonym(row.assignment.worker, campaign),
        "hit": hit.id,
        "assignment": row.assignment.id,
        "ordinal": attempt.ordinal,
        "round": hit.round,
        "arm": row.assignment.arm,
        "created_at": attempt.created_at.isoformat(),
    }
    if kind.checking is not None:
        fields |= {"validation": outcome.validity.value if outcome else None, "votes": _votes(outcome, campaign)}
    if kind.dataset.balanced_by:
        fields["stratum"] = list(stratum(example, kind.dataset)) if example else None
    if kind.writing.explanation_type is not None:
        fields["explanation"] = attempt.explanation
    return checked_row(attempt_type(kind), fields, f"The attempt {attempt.id}", kind)


@lru_cache
def _type_with_arm(record: type[Value]) -> type[Value]:
    meaning = "of its writer, in a round with arms"
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
    """The worker's stand-in within one campaign: a keyed hash, of no use without the store."""
    return _pseudonym(worker, campaign.pseudonym_key)


@lru_cache(maxsize=10_000)
def _pseudonym(worker: str, key: str) -> str:
    return f"w-{keyed_hash(worker, key)}"
