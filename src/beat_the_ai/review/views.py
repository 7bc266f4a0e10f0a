"""The records that the reviewers' page is sent. Workers' text goes out unchanged: the page shows it as text only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from pydantic import ValidationError

from beat_the_ai import store
from beat_the_ai.review.decisions import WorkerDecision
from beat_the_ai.rules import kind
from beat_the_ai.rules.kind import Words
from beat_the_ai.rules.protocol import Moment, View
from beat_the_ai.rules.roles import Right, Role
from beat_the_ai.workforce import Agreement as Agreeing
from beat_the_ai.workforce import Assessment, GateRequest, SampledHit, Standing
from beat_the_ai.workforce import Evidence as Sign

Fields = Mapping[str, Any]
CrowdAnswer = Literal["confirmed", "declined", "unanswered"]


class SignedOut(View):
    """Nobody has signed in."""

    campaign: None = None
    reviewer: None = None
    sees_all: Literal[False] = False


class SignedIn(View):
    """The reviewer who has signed in, the token that every change must carry, and the unit of amounts.

    `rights` are those of the role. `people`: this reviewer manages the people of the campaign's crowd.
    """

    campaign: str
    reviewer: str
    role: Role
    rights: tuple[Right, ...]
    sees_all: bool
    people: bool
    form_token: str
    unit: str


class Proposal(View):
    """A revocation that waits for a second lead while `outcome` is null. It has no effect before."""

    by: str
    reason: str
    outcome: Literal["revoked", "withdrawn"] | None
    closed_by: str | None
    at: Moment
    closed_at: Moment | None


class Worker(View):
    """A worker as one reviewer may know them.

    `low` and `high` are the 95% interval of the accuracy. `to_judge` of the sampled HITs wait for this reviewer; others
    judged `judged_by_others` of those.
    """

    worker: str
    standing: Standing | None
    completed: int
    sampled: int
    reviewed: int
    accepted: int
    low: float
    high: float
    recommended: bool
    accuracy: float | None
    proposal: Proposal | None
    to_judge: int
    judged_by_others: int

    @classmethod
    def of(cls, one: Assessment, to_judge: int, judged_by_others: int, waiting: store.Proposal | None) -> Worker:
        return cls(
            **vars(one),
            accuracy=one.accuracy,
            proposal=None if waiting is None else Proposal.model_validate(waiting),
            to_judge=to_judge,
            judged_by_others=judged_by_others,
        )


class PairAgreement(View):
    """Cohen's kappa of two reviewers; null where it is not defined."""

    reviewers: tuple[str, str]
    kappa: float | None


class Agreement(View):
    """The agreement of reviewers on the HITs that two or more judged; null where it is not defined."""

    units: int
    percent: float | None
    alpha: float | None
    kappa: tuple[PairAgreement, ...]

    @classmethod
    def of(cls, one: Agreeing) -> Agreement:
        kappas = {pair: None if of is None else of.value for pair, of in one.kappa.items()}
        pairs = tuple(PairAgreement(reviewers=pair, kappa=kappa) for pair, kappa in kappas.items())
        return cls(
            units=one.units, percent=one.percent, alpha=None if one.alpha is None else one.alpha.value, kappa=pairs
        )


class DoubtfulCounts(View):
    """The number of doubtful works, and of those that wait for a lead."""

    all: int
    waiting: int


class Decided(View):
    """A decision that is appealed."""

    by: str
    reason: str


class LetterAnswer(View):
    """The answer to a letter. `told`: the crowd took the message to the worker."""

    by: str
    text: str
    upheld: bool | None
    at: Moment
    told: bool


class Letter(View):
    """A worker's letter: a message, or an appeal of a rejected HIT or of a standing.

    `not_yours` says why somebody else has to decide it. `overdue`: it waits, and its deadline is over.
    """

    id: str
    worker: str
    kind: Literal["message", "rejection", "standing"]
    assignment: str | None
    text: str
    at: Moment
    due_at: Moment
    overdue: bool
    decided_by: tuple[Decided, ...]
    not_yours: str | None
    answer: LetterAnswer | None


class Inbox(View):
    """Letters that wait, those with the earliest deadline first, and the last that were answered."""

    waiting: tuple[Letter, ...]
    answered: tuple[Letter, ...]


class Overview(View):
    """The head of the queue: `to_judge` is the number of sampled HITs that wait for this reviewer.

    `next` is the first worker with such HITs, and `letters` is the number that wait for an answer. `second_person`: a
    revocation that the reviews do not recommend waits for a second lead.
    """

    campaign: str
    words: Words
    threshold: float
    second_person: bool
    to_judge: int
    next: str | None
    candidates: int
    doubtful: DoubtfulCounts
    letters: int
    agreement: Agreement


class WorkersPage(View):
    """A page of the queue. `left` more workers are behind it: `after` asks for the next page where there are any."""

    workers: tuple[Worker, ...]
    left: int
    after: str | None


class Context(View):
    """A context without its private parts: reviewers judge what the writer could see."""

    id: str
    title: str
    text: str


class DoubtfulWork(View):
    """A work that waits for a person, why, and its writer's answer to that.

    `counts`: its HIT was handed in and confirmed. `admitted` is a lead's word on it.
    """

    attempt: str
    assignment: str
    worker: str
    counts: bool
    context: Context
    work: Fields
    fooled: bool
    doubts: tuple[str, ...]
    appeal: str | None
    admitted: bool | None
    at: Moment

    @classmethod
    def of(cls, one: store.AttemptInCampaign, reading: kind.Reading | None) -> DoubtfulWork:
        attempt = one.attempt
        return cls(
            attempt=attempt.id,
            assignment=one.assignment.id,
            worker=one.assignment.worker,
            counts=one.assignment.counts,
            context=Context.model_validate(one.hit.context),
            work=attempt.work if reading is None else _read(reading.work, attempt.work),
            fooled=attempt.fooled,
            doubts=tuple(attempt.doubts or ()),
            appeal=attempt.appeal,
            admitted=attempt.admitted,
            at=attempt.created_at,
        )


class DoubtfulWorks(View):
    """The works that wait for a person before they count, those that nobody has settled first."""

    doubtful: tuple[DoubtfulWork, ...]


class Edit(View):
    """A draft as the model saw it. `prediction` is null where a newer draft overtook it."""

    ordinal: int
    attempt: int
    cause: str
    draft: Fields
    prediction: Fields | None
    at: Moment


class Edits(View):
    """Drafts in their order; `more` if these are not all."""

    edits: tuple[Edit, ...]
    more: bool


class Telemetry(View):
    """The typing of an attempt."""

    pastes: int
    pasted_chars: int
    keystrokes: int
    focused_seconds: float
    first_key_seconds: float | None


class Suggestion(View):
    """A suggestion of a model that an attempt was made of. `distance` is in characters of the text that was typed."""

    model: str
    edited: bool
    distance: int

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Suggestion:
        return cls(model=kept["model"], edited=kept["edited"], distance=kept["distance"])


class Evidence(View):
    """A sign of cheating, for reviewers to judge. `strength` is a share from 0 to 1."""

    kind: str
    strength: float
    detail: str


class Reading(View):
    """The readable texts of a work and its prediction, by their names."""

    work: Fields
    prediction: Fields


class Flag(View):
    """A writer's report on a verdict."""

    reason: str
    note: str | None


class Attempt(View):
    """An attempt with all that is known of it.

    `reading` is null where the page has a view of its own for the fields of the kind.
    """

    id: str
    work: Fields
    prediction: Fields
    reading: Reading | None
    fooled: bool
    scores: Fields
    model: str
    created_at: Moment
    retracted_at: Moment | None
    explanation: Fields | None
    flag: Flag | None
    telemetry: Telemetry | None
    suggestion: Suggestion | None
    doubts: tuple[str, ...]
    appeal: str | None
    admitted: bool | None
    evidence: tuple[Evidence, ...]
    votes: tuple[Fields, ...]

    @classmethod
    def of(
        cls,
        one: store.Attempt,
        telemetry: store.Telemetry | None,
        evidence: Sequence[Sign],
        votes: Sequence[Fields],
        reading: kind.Reading | None,
    ) -> Attempt:
        return cls(
            id=one.id,
            work=one.work,
            prediction=one.prediction,
            reading=None
            if reading is None
            else Reading(work=_read(reading.work, one.work), prediction=_read(reading.prediction, one.prediction)),
            fooled=one.fooled,
            scores=one.scores,
            model=one.model_name,
            created_at=one.created_at,
            retracted_at=one.retracted_at,
            explanation=one.explanation,
            flag=None if one.flag_reason is None else Flag(reason=one.flag_reason, note=one.flag_note),
            telemetry=None if telemetry is None else Telemetry.model_validate(telemetry),
            suggestion=None if one.suggestion is None else Suggestion.of(one.suggestion),
            doubts=tuple(one.doubts or ()),
            appeal=one.appeal,
            admitted=one.admitted,
            evidence=signs(evidence, one.id),
            votes=tuple(votes),
        )


class Review(View):
    """A reviewer's verdict on a HIT."""

    reviewer: str
    verdict: Literal["accept", "reject"]
    reason: str
    at: Moment


class Verdicts(View):
    """The verdicts on a HIT, as one reviewer may see them.

    `others` are empty until `mine` stands; `judged_by_others` only says that there are some.
    """

    mine: Review | None
    others: tuple[Review, ...]
    judged_by_others: bool

    @classmethod
    def of(cls, reviews: Mapping[str, store.Review], reviewer: str) -> Verdicts:
        """`reviews` are those that stand, by reviewer."""
        mine = reviews.get(reviewer)
        others = [one for name, one in reviews.items() if name != reviewer]
        return cls(
            mine=None if mine is None else Review.model_validate(mine),
            others=() if mine is None else tuple(Review.model_validate(other) for other in others),
            judged_by_others=bool(others),
        )


class Judged(Verdicts):
    """The verdicts on the HIT that was judged, and its worker now."""

    worker: Worker


class Hit(View):
    """A sampled HIT with all that was written in it.

    `evidence` are signs in the HIT as a whole. `edits` counts the drafts that the model has seen, which can be
    replayed.
    """

    assignment: str
    worker: str
    context: Context
    accepted_at: Moment
    submitted_at: Moment
    feedback: str | None
    edits: int
    evidence: tuple[Evidence, ...]
    attempts: tuple[Attempt, ...]
    mine: Review | None
    others: tuple[Review, ...]
    judged_by_others: bool

    @classmethod
    def of(
        cls,
        one: SampledHit,
        evidence: Sequence[Sign],
        votes: Mapping[str, Sequence[Fields]],
        verdicts: Verdicts,
        edits: int,
        reading: kind.Reading | None,
    ) -> Hit:
        assignment = one.assignment
        assert assignment.submitted_at is not None, "only submitted HITs are sampled"
        return cls(
            assignment=assignment.id,
            worker=assignment.worker,
            context=Context.model_validate(one.hit.context),
            accepted_at=assignment.accepted_at,
            submitted_at=assignment.submitted_at,
            feedback=assignment.feedback,
            edits=edits,
            evidence=signs(evidence, None),
            attempts=attempts(one.attempts, one.telemetry, evidence, votes, reading),
            mine=verdicts.mine,
            others=verdicts.others,
            judged_by_others=verdicts.judged_by_others,
        )


class StandingEvent(View):
    """A decision about a worker. `answer` is what the marketplace said, where it was asked."""

    worker: str
    standing: Standing
    by: str
    reason: str
    answer: CrowdAnswer | None
    answer_note: str | None
    at: Moment


class Outcome(View):
    """The outcome of a decision: the new standing, the proposal, or neither if a request was turned down."""

    worker: str
    standing: Standing | None
    by: str | None
    reason: str | None
    answer: CrowdAnswer | None
    answer_note: str | None
    at: Moment | None
    proposal: Proposal | None

    @classmethod
    def of(cls, one: WorkerDecision) -> Outcome:
        nothing = dict.fromkeys(StandingEvent.model_fields)
        event = nothing if one.event is None else dict(StandingEvent.model_validate(one.event))
        proposal = None if one.proposal is None else Proposal.model_validate(one.proposal)
        return cls(**{**event, "worker": one.worker, "proposal": proposal})


class Consequences(View):
    """The effect of a revocation. Amounts are US cents without fees."""

    worker: str
    hits: int
    attempts: int
    wins: int
    paid_cents: int
    owed_cents: int


class WorkerDetail(View):
    """The worker's sampled HITs, how the worker came to stand so, and what a revocation would do.

    `next` is the next worker with HITs that wait for this reviewer.
    """

    worker: str
    summary: Worker
    next: str | None
    history: tuple[StandingEvent, ...]
    proposals: tuple[Proposal, ...]
    consequences: Consequences
    hits: tuple[Hit, ...]


class Response(View):
    """An answer in the quiz. `mistake` is null for a right one."""

    step: str
    work: Fields
    mistake: str | None
    evidence: Fields
    created_at: Moment


class Screening(View):
    """The quiz and the sample HIT of a newcomer. `outcome` is the grader's word once it was handed in."""

    outcome: str | None
    started_at: Moment
    submitted_at: Moment | None
    steps: tuple[Response, ...]
    context: Context
    attempts: tuple[Attempt, ...]
    feedback: str | None


class Candidate(View):
    """A newcomer. `decidable`: a lead may grant or refuse the qualification."""

    worker: str
    standing: StandingEvent | None
    screening: Screening | None
    decidable: bool


class Candidates(View):
    """Newcomers, those who wait for a decision first."""

    candidates: tuple[Candidate, ...]


class QualificationRequest(View):
    """A worker's request in the marketplace. `screened`: the worker has handed in a screening."""

    worker: str
    at: Moment
    standing: Standing | None
    screened: bool

    @classmethod
    def of(cls, one: GateRequest, standing: store.StandingEvent | None, *, screened: bool) -> QualificationRequest:
        now = None if standing is None else Standing(standing.standing)
        return cls(worker=one.worker, at=one.at, standing=now, screened=screened)


class QualificationRequests(View):
    """Requests in the marketplace, the oldest first."""

    requests: tuple[QualificationRequest, ...]


class LogEntry(View):
    """An entry of the log. `hash` is over the entry and the one before."""

    id: int
    at: Moment
    who: str
    action: str
    subject: str
    note: str
    machine_user: str
    hash: str


class LogPart(View):
    """Entries of the log, the newest first. Older ones are those `before` that id, if there are any."""

    entries: tuple[LogEntry, ...]
    before: int | None


def attempts(
    made: Sequence[store.Attempt],
    telemetry: Mapping[str, store.Telemetry],
    evidence: Sequence[Sign],
    votes: Mapping[str, Sequence[Fields]],
    reading: kind.Reading | None,
) -> tuple[Attempt, ...]:
    """`telemetry` and `votes` are by attempt; `reading` is the kind's, if reviewers do not read the fields."""
    return tuple(Attempt.of(one, telemetry.get(one.id), evidence, votes.get(one.id, ()), reading) for one in made)


def signs(evidence: Sequence[Sign], attempt_id: str | None) -> tuple[Evidence, ...]:
    """Return the signs in one attempt; with None, those in the HIT as a whole."""
    return tuple(Evidence.model_validate(item) for item in evidence if item.attempt_id == attempt_id)


def _read(read: Callable[[Fields], Mapping[str, str]], stored: Fields) -> Fields:
    """Its fields where a stored record is not as the kind of task has it today: a reviewer sees all the same."""
    try:
        return read(stored)
    except ValidationError:
        return stored
