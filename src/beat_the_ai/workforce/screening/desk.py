"""A screening: what a newcomer does in the combined training and qualification HIT, and what it answers.

First the steps of the quiz, each until it is right or its tries are used up; then the sample HIT, which is an ordinary
writing HIT on a fixed context, in a campaign of its own. Nothing here qualifies anybody: a screening that is passed, or
any that is handed in where people judge them all, makes a candidate, and a person looks at everything before granting
(Bartolo et al. 2020, §3.3).

Every response is durable before it is answered. The same key again gives the stored response, so that a lost reply, a
reload or a restart uses up no try twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.rules.adversary import Adversary, Asker
from beat_the_ai.rules.deadlines import ANSWER_GRACE
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.screening import Quiz, Step
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import check_key
from beat_the_ai.store import Assignment, Attempt, Campaign, Hit, Screening, ScreeningResponse, now
from beat_the_ai.store.screenings import TAKEN
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign
from beat_the_ai.terms.writing import Terms
from beat_the_ai.workforce.standing import Workforce
from beat_the_ai.writing import HitState, WritingDesk

PASSED = "passed"
FAILED = "failed"
INCOMPLETE = "incomplete"
TAKEN_BEFORE = "the worker has taken the screening in another HIT"


@dataclass(frozen=True)
class ScreeningState:
    """The progress of a newcomer. `step` is the current one: None when all are done, or when one has failed."""

    screening: Screening
    responses: tuple[ScreeningResponse, ...]
    step: Step | None
    failed: bool
    sample: HitState
    min_attempts: int

    @property
    def steps_done(self) -> bool:
        return self.step is None and not self.failed

    @property
    def outcome(self) -> str:
        """Return the outcome of a submission now. Nobody has to beat the model."""
        if self.failed:
            return FAILED
        kept = sum(not attempt.retracted for attempt in self.sample.attempts)
        return PASSED if self.steps_done and kept >= self.min_attempts else INCOMPLETE

    def mistakes(self, step: Step) -> list[str]:
        """The mistakes that were made in a step so far, in their order."""
        return [made.mistake for made in self.responses if made.step == step.id and made.mistake is not None]


class ScreeningDesk:
    """The desk for newcomers' work: one for a campaign, safe to use from threads.

    Only those whom `workforce` lets in may take the screening. A newcomer who passes becomes a candidate there. With
    `judged_by_people` everybody who submits it does, whatever the grader says (Bartolo et al. 2020, §3.3).
    """

    def __init__(
        self,
        campaign: Campaign,
        quiz: Quiz,
        model: Adversary,
        sample: WritingDesk,
        sample_hit: Hit,
        workforce: Workforce,
        *,
        judged_by_people: bool = False,
    ) -> None:
        self.store = sample.store
        self.campaign_id = campaign.id
        self.quiz = quiz
        self.sample = sample
        self.sample_hit = sample_hit
        self._model = model
        self._workforce = workforce
        self._judged_by_people = judged_by_people

    def check_admission(self, worker: str, *, identity_verified: bool = True) -> None:
        """Raises `Refused`, with the reason, for those who may not take the screening, or have taken it.

        Unless `identity_verified`, only what the crowd has confirmed since is theirs.
        """
        known = self.store.screenings.of_worker(self.campaign_id, worker)
        if known is not None and known.submitted_at is not None and (identity_verified or self._counts(known)):
            raise Refused(said(TAKEN))
        if not self._workforce.may_work(worker, Stage.SCREENING):
            raise Refused(said("refusals.screening.not_open"))

    def _counts(self, screening: Screening) -> bool:
        return self.store.assignments.get(screening.assignment_id).counts

    def open(
        self, worker: str, registration: str, at: datetime | None = None, *, identity_verified: bool = True
    ) -> Screening:
        """Begin a worker's screening, or go on with it. Its tries stay used, whatever HIT the worker comes by.

        Unless `identity_verified`, another HIT begins another one: the crowd says later whose each is.
        """
        assignment, _ = self.sample.accept(self.sample_hit.id, worker, registration, at)
        return self.store.screenings.open(
            self.campaign_id, worker, assignment.id, self.quiz.digest, now(), identity_verified=identity_verified
        )

    def state(self, assignment_id: str) -> ScreeningState:
        screening, responses = self.store.screenings.session(assignment_id)
        return self._state(screening, responses)

    def respond(
        self, assignment_id: str, key: str, step_id: str, payload: object
    ) -> tuple[ScreeningResponse, ScreeningState]:
        """Grade a response and make it durable. Raises `InvalidInput` and `Refused`: no try is used up."""
        check_key("response_key", key)
        screening, responses = self.store.screenings.session(assignment_id)
        state = self._state(screening, responses)
        for known in responses:
            if known.key == key:
                return known, state
        step = self._step(state, step_id)
        graded = self._graded(screening, responses, key, step, payload)
        made = self.store.screenings.add(graded)
        if made is not graded:  # the same key came in twice at once, and the other was faster
            return made, self.state(assignment_id)
        return made, self._state(screening, [*responses, made])

    def submit_attempt(
        self, assignment_id: str, key: str, context_id: str, payload: object, telemetry: object = None
    ) -> tuple[Attempt, HitState]:
        """An attempt in the sample HIT, as in any writing HIT."""
        self._in_sample(assignment_id)
        return self.sample.submit(assignment_id, key, context_id, payload, telemetry)

    def retract(self, assignment_id: str, attempt_id: str) -> HitState:
        self._in_sample(assignment_id)
        return self.sample.retract(assignment_id, attempt_id)

    def flag(self, assignment_id: str, attempt_id: str, reason: str, note: str) -> HitState:
        self._in_sample(assignment_id)
        return self.sample.flag(assignment_id, attempt_id, reason, note)

    def explain(self, assignment_id: str, attempt_id: str, payload: object) -> HitState:
        self._in_sample(assignment_id)
        return self.sample.explain(assignment_id, attempt_id, payload)

    def finish(self, assignment_id: str, feedback: str = "") -> Screening | None:
        """Close the screening. A second time changes nothing; one that goes on in another HIT stays open: None."""
        try:
            state = self.state(assignment_id)
        except Refused:
            return None
        self.sample.finish(assignment_id, feedback)
        screening = self.store.screenings.submit(assignment_id, state.outcome, now())
        assignment = self.store.assignments.get(assignment_id)  # the crowd may have confirmed it meanwhile
        if assignment.counts:
            self._enter(screening, assignment)
        return screening

    def confirm(self, assignment_id: str) -> None:
        """The crowd has what was handed in, from this worker: from now on it counts, unless another one does."""
        if self.store.screenings.claim(assignment_id, now()):
            self._enter_if_over(assignment_id)
            if self.store.screenings.confirm(assignment_id, now()):  # another one may have been begun meanwhile
                self.sample.confirm(assignment_id)
                self._enter_if_over(assignment_id)  # `finish` may have seen it unconfirmed meanwhile
                return
        self.set_aside(assignment_id, TAKEN_BEFORE)

    def _enter_if_over(self, assignment_id: str) -> None:
        with contextlib.suppress(Refused):  # the screening goes on in another HIT
            screening = self.store.screenings.session(assignment_id)[0]
            self._enter(screening, self.store.assignments.get(assignment_id))

    def set_aside(self, assignment_id: str, reason: str) -> None:
        """The crowd knows of no such work of this worker, who may still take the screening."""
        self.store.screenings.set_aside(assignment_id, now())
        self.sample.set_aside(assignment_id, reason)

    def _enter(self, screening: Screening, assignment: Assignment) -> None:
        """Make the newcomer a candidate if a person has to judge them. A second time changes nothing."""
        if screening.outcome == PASSED or self._judged_by_people:
            with contextlib.suppress(Refused):  # a reviewer settled the worker's standing meanwhile
                self._workforce.enter_screening(screening.worker, assignment.registration)

    def taken(self) -> int:
        """The number of newcomers who have handed their screening in."""
        screenings = self.store.screenings.of_campaign(self.campaign_id)
        return sum(screening.submitted_at is not None for screening in screenings)

    def _state(self, screening: Screening, responses: Sequence[ScreeningResponse]) -> ScreeningState:
        right = {made.step for made in responses if made.right}
        step = next((step for step in self.quiz.steps if step.id not in right), None)
        tries = sum(step is not None and made.step == step.id for made in responses)
        failed = tries >= self.quiz.tries_per_step
        return ScreeningState(
            screening,
            tuple(responses),
            None if failed else step,
            failed,
            self.sample.state(screening.assignment_id),
            self.quiz.sample.min_attempts,
        )

    def _step(self, state: ScreeningState, step_id: str) -> Step:
        """The step that a response is for, if it may be given now."""
        if state.screening.submitted_at is not None:
            raise Refused(said("refusals.screening.submitted"))
        if state.sample.seconds_left + ANSWER_GRACE.total_seconds() <= 0:
            raise Refused(said("refusals.screening.time_over"))
        if state.failed:
            raise Refused(said("refusals.screening.no_tries"))
        if state.step is None or state.step.id != step_id:
            raise InvalidInput("step", said("refusals.screening.other_step"))
        return state.step

    def _graded(
        self, screening: Screening, responses: Sequence[ScreeningResponse], key: str, step: Step, payload: object
    ) -> ScreeningResponse:
        grade = self.quiz.grade(step.id, payload, [made.work for made in responses if made.right])
        response_id = short_hash(screening.id, len(responses) + 1)
        query = self.quiz.query(step.id, grade.work) if grade.mistake is None else None
        evidence = grade.scores if query is None else self._models_answer(screening, response_id, query, grade.work)
        return ScreeningResponse(
            id=response_id,
            screening_id=screening.id,
            key=key,
            ordinal=len(responses) + 1,
            step=step.id,
            work=grade.work.model_dump(),
            mistake=grade.mistake,
            evidence=dict(evidence),
            created_at=now(),
        )

    def _models_answer(self, screening: Screening, response_id: str, query: Value, work: Value) -> Mapping[str, Any]:
        """Evidence for the reviewer, and for nobody else. Empty when the model does not answer."""
        asker = Asker(screening.assignment_id, screening.worker, self.sample.terms.max_tries)
        try:
            reply = self._model.ask(query, key=response_id, asker=asker)
        except AdversaryError:
            return {}
        return {"model": reply.model_name, **self.quiz.evidence(work, reply.prediction)}

    def _in_sample(self, assignment_id: str) -> None:
        if not self.state(assignment_id).steps_done:
            raise Refused(said("refusals.screening.sample"))


def sample_terms(quiz: Quiz, *, reward_cents: int, time_limit_seconds: int) -> Terms:
    """Return the terms of the sample HIT, with the time limit of the whole screening, which may end before it."""
    sample = quiz.sample
    return Terms(
        wins_wanted=sample.wins_wanted,
        max_wins=sample.max_wins,
        max_tries=sample.max_tries,
        min_tries=0,
        reward_cents=reward_cents,
        time_limit_seconds=time_limit_seconds,
    )


def open_screening_desk(
    campaign: BoundCampaign,
    quiz: Quiz,
    writing: Writing[Any, Any, Any],
    model: Adversary,
    *,
    reward_cents: int,
    time_limit_seconds: int,
    terms: Mapping[str, Any] | None = None,
    workforce: Workforce,
    awaits_crowd: bool = False,
    judged_by_people: bool = False,
) -> ScreeningDesk:
    """The desk of a campaign's screenings. `terms` are those of the campaign of the sample HITs: what it pays."""
    asked = sample_terms(quiz, reward_cents=reward_cents, time_limit_seconds=time_limit_seconds)
    store = campaign.store
    samples = sample_campaign(campaign.record)
    store.campaigns.create(samples, terms)
    store.campaigns.amend(samples)
    context = quiz.sample.context
    # Contexts never change: a context that was edited is another one.
    context = replace(context, id=f"{context.id}/{short_hash(context.title, context.text)}")
    [hit] = store.campaigns.offer(
        samples.id,
        [context],
        round_number=1,
        slots=1,
        brief=lambda context, slot: writing.brief(context, slot, campaign.seed),
    )
    # All newcomers have the same context.
    desk = WritingDesk(store, writing, model, asked, awaits_crowd=awaits_crowd, each_alone=True)
    return ScreeningDesk(
        campaign.record, quiz, model, desk, store.campaigns.hit(hit), workforce, judged_by_people=judged_by_people
    )
