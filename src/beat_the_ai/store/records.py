"""The records that the store takes and returns: one frozen record per table."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from beat_the_ai.process.importing import absolute
from beat_the_ai.rules.adjudication import Outcome
from beat_the_ai.rules.deadlines import may_be_handed_in
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.rules.stage import Stage


@dataclass(frozen=True)
class Campaign:
    """One collection effort. `pseudonym_key` keys the hash that stands for worker ids in exports.

    `task` is the kind of task, as the configuration names it; `config` is what holds for all rounds. While it is paused
    (since `paused_at`), no worker gets a HIT of any stage.
    """

    id: str
    task: str
    seed: int
    pseudonym_key: str
    config: Mapping[str, Any]
    created_at: datetime
    paused_at: datetime | None = None

    @property
    def task_dir(self) -> Path:
        """From where files are named."""
        return Path(self.config.get("task_dir", ""))

    @property
    def kind_place(self) -> str:
        """Its kind of task as it is found today: what lies in a file moves with the task folder."""
        return absolute(self.task, self.task_dir)

    @property
    def crowd_name(self) -> str:
        """The name that it has at the crowd, where campaigns of other stores may have the same `id`."""
        return f"{self.id}-{hashlib.sha256(self.pseudonym_key.encode()).hexdigest()[:12]}"

    @property
    def simulated(self) -> bool:
        """Return whether simulated people do the work: a rehearsal, whatever its name."""
        return bool(self.config.get("simulated", False))


class ContextText(NamedTuple):
    """A context's text alone."""

    id: str
    text: str


@dataclass(frozen=True)
class Round:
    """A numbered stage of a campaign, with contexts and terms of its own.

    `config` holds the terms; `frozen` says, by stage, from when on people were told them, so that they never change.
    `models` are the members of the adversary as they were when the first stage began: `{name, hash, precision}`.
    After `closed_at` nobody gets a HIT of it any more; whoever has one may finish it.
    """

    campaign_id: str
    number: int
    config: Mapping[str, Any]
    opened_at: datetime
    closed_at: datetime | None = None
    models: Sequence[Mapping[str, str]] = ()
    frozen: Mapping[str, datetime] = field(default_factory=dict)

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None


@dataclass(frozen=True)
class Hit:
    """One piece of work on offer: a context, which of its slots this is, and what it asks for in particular."""

    id: str
    campaign_id: str
    context: Context
    round: int
    slot: int
    brief: Mapping[str, Any] = field(default_factory=dict)

    @property
    def task_item(self) -> TaskItem:
        return TaskItem(self.context, self.brief)


@dataclass(frozen=True)
class Assignment:
    """One worker's acceptance of a HIT of a stage. `registration` is the crowd's own name for it.

    It counts from `confirmed_at` on: it was handed in, and the crowd has it from this worker. `set_aside_reason` says
    why it never will. `place` is what it alone holds; None once it is handed in, given back, or somebody else has taken
    the HIT. `arm` is that of a writer in a round with arms.
    """

    id: str
    campaign_id: str
    stage: Stage
    hit: str
    worker: str
    registration: str
    accepted_at: datetime
    submitted_at: datetime | None = None
    feedback: str | None = None
    confirmed_at: datetime | None = None
    set_aside_at: datetime | None = None
    set_aside_reason: str | None = None
    round: int = 1
    place: str | None = None
    arm: str | None = None

    @property
    def counts(self) -> bool:
        return self.confirmed_at is not None

    @property
    def is_validation(self) -> bool:
        """Return whether works were checked in it; in all others they were written."""
        return self.stage is Stage.VALIDATION

    @property
    def crowd_assignment(self) -> str:
        """The crowd's id of it. Pages register as `<assignment>-<worker>`, on every Mephisto provider."""
        return self.registration.removesuffix(f"-{self.worker}")

    def may_come_to_count(self, time_limit_seconds: float, at: datetime) -> bool:
        """Return whether it waits for the crowd, or for its worker, who may still submit it."""
        if self.counts or self.set_aside_at is not None:
            return False
        return self.submitted_at is not None or may_be_handed_in(self.accepted_at, time_limit_seconds, at)


@dataclass(frozen=True)
class Attempt:
    """One thing a writer submitted, the prediction, and the verdict. `key` is unique within its assignment.

    `fingerprint` is by what its kind knows the same work again; None for an attempt that is compared with no other.
    `explanation` is the writer's, of an attempt that beat the model, where the kind asks for one. With `doubts` it is
    before a reviewer, to whom the writer has made an `appeal`, and counts only once it is `admitted`. The writer waited
    `answer_ms` for the model; None where nobody has measured it. `suggestion` is what it was made of
    (`writing.suggestions.Origin`); None for a work of the writer's own.
    """

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
    fingerprint: str | None = None
    explanation: Mapping[str, Any] | None = None
    doubts: Sequence[str] | None = None
    appeal: str | None = None
    admitted: bool | None = None
    answer_ms: int | None = None
    suggestion: Mapping[str, Any] | None = None

    @property
    def retracted(self) -> bool:
        return self.retracted_at is not None

    @property
    def won(self) -> bool:
        """Return whether it beat the model, was not taken back, and waits for nobody's decision."""
        return self.fooled and not self.retracted and (not self.doubted or self.admitted is True)

    @property
    def doubted(self) -> bool:
        """Return whether a reviewer decides if it counts, or has decided."""
        return self.doubts is not None

    @property
    def on_hold(self) -> bool:
        """Return whether it would be a win if a reviewer, who has not decided yet, admits it."""
        return self.fooled and not self.retracted and self.doubted and self.admitted is None


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attempt, without its text: the last three fields are as in `Attempt`."""

    id: str
    ordinal: int
    won: bool
    doubted: bool = False
    on_hold: bool = False


@dataclass(frozen=True)
class WrittenWork:
    """A tried work, with its author, context and time."""

    attempt_id: str
    created_at: datetime
    worker: str
    context_id: str
    work: Mapping[str, Any]


@dataclass(frozen=True)
class ModelCounts:
    """The number of tries against a model, of those that writers took back, and of the others that beat it."""

    name: str
    hash: str
    attempts: int
    retracted: int
    fooled: int


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
    """The making of a work as the page reports it: evidence, to be trusted no more than the page.

    Counts begin with the work and cover all of its attempts. `first_key_seconds` is None when nothing was typed.
    """

    pastes: int
    pasted_chars: int
    keystrokes: int
    focused_seconds: float
    first_key_seconds: float | None = None


@dataclass(frozen=True)
class PayDecision:
    """A person's decision about the pay of an assignment; the last decision counts.

    `category` is the crowd's name for the kind of rejection, where it asks for one.
    """

    assignment_id: str
    pays: bool
    by: str
    reason: str
    at: datetime
    category: str | None = None


@dataclass(frozen=True)
class ValidationItem:
    """One work of a validation HIT: a writer's attempt, or gold, a work whose answer is known beforehand.

    `steps` of it were shown, where it is shown step by step.
    """

    id: str
    assignment_id: str
    position: int
    context_id: str
    attempt_id: str | None
    gold: Mapping[str, Any] | None
    steps: int = 0


@dataclass(frozen=True)
class ValidationVote:
    """A validator's vote on an item. The last of several counts; `key` is unique within its item."""

    item_id: str
    ordinal: int
    key: str
    vote: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True)
class PlacedItem:
    """An item with who got it and what they last said of it.

    A vote of a HIT that `counts` counts. Any other HIT is `held` until it is given back or set aside; one that was
    `handed_in` waits for the crowd.
    """

    item: ValidationItem
    worker: str
    accepted_at: datetime
    counts: bool
    held: bool
    handed_in: bool
    vote: ValidationVote | None


@dataclass(frozen=True)
class Snapshot:
    """All validation of a campaign at one moment, in an order that is the same in every run.

    `outcomes` are of all works that may need validation, without the votes, which are in `placed`. `unreliable` are the
    validators, by round, who do badly on gold: their votes do not count.
    """

    outcomes: tuple[Outcome, ...]
    placed: tuple[PlacedItem, ...]
    unreliable: Mapping[int, frozenset[str]]


@dataclass(frozen=True)
class Screening:
    """One worker's training and qualification for a campaign. `quiz` is the digest of the quiz it was begun with.

    `assignment_id` is the assignment of the sample HIT, and of the whole screening: the one that is paid. `outcome` is
    `passed`, `failed` (a step's tries were used up) or `incomplete` (handed in before its end).
    """

    id: str
    campaign_id: str
    worker: str
    assignment_id: str
    quiz: str
    started_at: datetime
    submitted_at: datetime | None = None
    outcome: str | None = None
    set_aside_at: datetime | None = None


@dataclass(frozen=True)
class ScreeningResponse:
    """One try at a step of the quiz. `mistake` is None for a right one; `evidence` is for the reviewer."""

    id: str
    screening_id: str
    key: str
    ordinal: int
    step: str
    work: Mapping[str, Any]
    mistake: str | None
    evidence: Mapping[str, Any]
    created_at: datetime

    @property
    def right(self) -> bool:
        return self.mistake is None
