"""A writing session: what a worker may do with an accepted HIT, and what it answers.

The order in `submit` is the suite's second invariant: check, ask the model, judge, commit; only then does anybody see
the verdict. The same attempt key again gives the stored verdict, so that a lost reply, a reload or a restart of any
process neither asks nor counts twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal, get_args

from beat_the_ai.errors import Doubtful, InvalidInput, Refused
from beat_the_ai.messages import joined, said
from beat_the_ai.rules.adversary import Adversary, Asker
from beat_the_ai.rules.deadlines import ANSWER_GRACE
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.kind import Doubts, Writing
from beat_the_ai.rules.protocol import TaskItem, Value, read_value
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import check_key, clean_line, printable
from beat_the_ai.store import TAKEN_OVER, ArmBlocks, Assignment, Attempt, Hit, Repeated, Store, now
from beat_the_ai.terms.prospect import NoOutlook, Outlook, Prospect
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing.gold import GoldGuard
from beat_the_ai.writing.memory import SessionMemory
from beat_the_ai.writing.suggestions import SuggestionDesk, origin_fields
from beat_the_ai.writing.telemetry import read_telemetry

MAX_NOTE_CHARS = 1000
NOT_EXPLAINED = "refusals.no_explanations"
FlagReason = Literal["ai_was_right", "context_problem", "other"]
FLAG_REASONS = get_args(FlagReason)
HITS_REMEMBERED = 1024
SESSIONS_REMEMBERED = 2048  # more workers at once than that, and each attempt reads its session again


def attempt_name(assignment_id: str, ordinal: int) -> str:
    """The id of an assignment's attempt, by which a member of the pool is drawn for it."""
    return short_hash(assignment_id, ordinal)


def task_item_of(hit: Hit, context_id: str) -> TaskItem:
    """Raises `InvalidInput` where a page speaks of another context."""
    if context_id != hit.context.id:
        raise InvalidInput("context_id", said("refusals.other_text"))
    return hit.task_item


@dataclass(frozen=True)
class HitState:
    """The progress of a worker in a HIT.

    While time is left, the HIT can be submitted after `tries_missing` more tries and `explanations_missing` more
    explanations. `is_checked`: other people will answer its works, too. If it `shows_model` nothing of the model, every
    attempt that is not taken back is one of the `wins`, and `tries_left` are the works that the HIT still asks for.
    """

    attempts: tuple[Attempt, ...]
    wins: int
    tries_left: int
    seconds_left: float
    prospect: Prospect
    is_checked: bool
    submitted: bool
    tries_missing: int
    explanations_missing: int
    shows_model: bool = True

    @property
    def complete(self) -> bool:
        return self.submitted or self.tries_left == 0


@dataclass(frozen=True)
class WriterTerms:
    """The terms of some writers, what their wins bring, and the members of the pool that they meet; () for all."""

    terms: Terms
    outlook: Outlook
    members: tuple[str, ...] = ()

    def asker(self, assignment: Assignment) -> Asker:
        """Return the writer of an assignment as the model's asker."""
        return Asker(assignment.id, assignment.worker, self.terms.max_tries, self.members)


@dataclass(frozen=True)
class DeskArms:
    """The arms of a round: the blocks in which writers are drawn, and the terms of each."""

    blocks: ArmBlocks
    terms: Mapping[str, WriterTerms]

    def of(self, assignment: Assignment) -> WriterTerms | None:
        """Return the terms of an assignment's arm, if it has one."""
        return None if assignment.arm is None else self.terms[assignment.arm]


Order = Callable[[str, Sequence[str]], Sequence[str]]
"""The HITs that a worker may have, in the order in which this worker is offered them."""


class WritingDesk:
    """The desk for writers' work: one for a campaign, shared by all its sessions and safe to use from threads.

    With `awaits_crowd` a submission counts only once the crowd confirms it (`confirm`); otherwise at once. A work that
    repeats another one on the same context, or gold of it, is refused. With `each_alone`, a work is refused if it
    repeats another of its HIT. In a round with `arms` a writer has the terms of the arm drawn for the first HIT. The
    `order` of HITs is a writer's; without one all have that of the round. An attempt names the one of
    the `suggestions` that it was made of.
    """

    def __init__(
        self,
        store: Store,
        writing: Writing[Any, Any, Any],
        model: Adversary,
        terms: Terms,
        *,
        awaits_crowd: bool = False,
        each_alone: bool = False,
        outlook: Outlook | None = None,
        doubts: Doubts | None = None,
        arms: DeskArms | None = None,
        order: Order | None = None,
        suggestions: SuggestionDesk | None = None,
    ) -> None:
        self.store = store
        self.writing = writing
        self.terms = terms
        self.awaits_crowd = awaits_crowd
        self._model = model
        self._each_alone = each_alone
        self._arms = arms
        self.order = order
        self._suggestions = suggestions
        self._own = WriterTerms(terms, outlook or NoOutlook())
        self._doubts = doubts
        self._hit = lru_cache(HITS_REMEMBERED)(store.campaigns.hit)
        self._gold = GoldGuard(writing)
        self._memory = SessionMemory(SESSIONS_REMEMBERED)

    def accept(self, hit_id: str, worker: str, registration: str, at: datetime | None = None) -> tuple[Assignment, Hit]:
        """Take a HIT; taking it again with the same registration continues where it was left.

        `at` is when the crowd gave it to the worker; None: now.
        """
        hit = self._hit(hit_id)
        stage = Stage.SCREENING if self._each_alone else Stage.WRITING
        epoch = self._memory.epoch
        arms = None if self._arms is None else self._arms.blocks
        taken, is_new = self.store.attempts.accept(hit_id, worker, registration, at or now(), stage=stage, arms=arms)
        if is_new:
            self._memory.keep((taken, []), epoch)
        return taken, hit

    def context_of(self, hit_id: str) -> tuple[str, str]:
        """Return the context of a HIT, by campaign and name."""
        hit = self._hit(hit_id)
        return hit.campaign_id, hit.context.id

    def task_item(self, assignment_id: str) -> TaskItem:
        """Return what an assignment is about."""
        return self._hit(self.store.assignments.get(assignment_id).hit).task_item

    def terms_of(self, assignment: Assignment) -> WriterTerms:
        """Return the terms of an assignment's writer."""
        return (None if self._arms is None else self._arms.of(assignment)) or self._own

    def state(self, assignment_id: str) -> HitState:
        return self._state(*self.store.attempts.session(assignment_id), now())

    def submit(
        self,
        assignment_id: str,
        key: str,
        context_id: str,
        payload: object,
        telemetry: object = None,
        appeal: str | None = None,
    ) -> tuple[Attempt, HitState]:
        """Judge one attempt and make it durable. Raises `InvalidInput`, `Refused`, `AdversaryError`: no try is used.

        `telemetry` is the page's; whatever it is, it is no reason to refuse (`read_telemetry`). What is doubted is
        refused (`Doubtful`) unless there is an `appeal`: why a reviewer should admit it.
        """
        check_key("attempt_key", key)
        epoch = self._memory.epoch
        assignment, attempts = self._memory.recall(assignment_id) or self.store.attempts.session(assignment_id)
        for known in attempts:
            if known.key == key:
                return known, self._state(assignment, attempts, now())
        task_item = task_item_of(self._hit(assignment.hit), context_id)
        work = self.writing.check(read_value(self.writing.work_type, payload), task_item)
        self._check_room(assignment, attempts)
        self._gold.refuse(work, task_item.context)
        doubts = self._unanswered_doubts(work, task_item, appeal)
        try:
            judged = self._judged(assignment, task_item, key, len(attempts) + 1, work)
            if doubts:
                judged = replace(judged, doubts=doubts, appeal=_cleaned_appeal(appeal, task_item))
            made = self.store.attempts.add(judged, read_telemetry(telemetry))
        except Repeated:
            self._memory.forget(assignment_id)
            raise InvalidInput(*self.writing.repeated) from None
        except Refused:  # somebody else was here
            self._memory.forget(assignment_id)
            raise
        if made is not judged:  # the same key came in twice at once, and the other was faster
            self._memory.forget(assignment_id)
            return made, self.state(assignment_id)
        if self._doubts is not None:
            self._doubts.remember(made.work)
        session = (assignment, [*attempts, made])
        self._memory.keep(session, epoch)
        return made, self._state(*session, now())

    def retract(self, assignment_id: str, attempt_id: str) -> HitState:
        """Take an attempt back: it stays in the store, and is no win any more. Its try stays used."""
        if not self._open_attempt(assignment_id, attempt_id).retracted:
            self._mark(assignment_id, attempt_id, retracted_at=now())
        return self.state(assignment_id)

    def flag(self, assignment_id: str, attempt_id: str, reason: str, note: str) -> HitState:
        """Tell the reviewers that something is wrong with a verdict or a context."""
        if reason not in FLAG_REASONS:
            raise InvalidInput("reason", f"{reason[:40]!r} is no reason. Allowed: {', '.join(FLAG_REASONS)}.")
        self._open_attempt(assignment_id, attempt_id)
        cleaned = clean_line("note", note, max_chars=MAX_NOTE_CHARS) if note.strip() else None
        self._mark(assignment_id, attempt_id, flag_reason=reason, flag_note=cleaned)
        return self.state(assignment_id)

    def explain(self, assignment_id: str, attempt_id: str, payload: object) -> HitState:
        """Keep what a writer says of an attempt that beat the model. Before the hand-in a later one replaces it.

        The same again changes nothing. Raises `InvalidInput`, `Refused`.
        """
        assignment, attempts = self.store.attempts.session(assignment_id)
        attempt = self._attempt(attempts, attempt_id)
        if not self.terms_of(assignment).terms.shows_model:
            raise InvalidInput("explanation", said(NOT_EXPLAINED))
        explanation = self._explanation(attempt, payload, self._hit(assignment.hit).context.text)
        if attempt.explanation != explanation:
            self._open_attempt(assignment_id, attempt_id)
            self._mark(assignment_id, attempt_id, explanation=explanation)
        return self.state(assignment_id)

    def finish(self, assignment_id: str, feedback: str = "") -> Assignment:
        """Close the HIT. Feedback that is too long or not plain text is cut, never a reason to refuse."""
        note = printable(feedback, max_chars=MAX_NOTE_CHARS)
        try:
            return self.store.assignments.submit(assignment_id, note, now(), awaits_crowd=self.awaits_crowd)
        finally:
            self._memory.forget(assignment_id)

    def confirm(self, assignment_id: str) -> None:
        """The crowd has what was handed in, from this worker: from now on it counts."""
        self.store.assignments.confirm(assignment_id, now())
        self._memory.forget(assignment_id)

    def set_aside(self, assignment_id: str, reason: str) -> None:
        """The crowd knows of no such work of this worker: it is kept, and counts for and against nobody."""
        self.store.assignments.set_aside(assignment_id, reason, now())
        self._memory.forget(assignment_id)

    def _mark(self, assignment_id: str, attempt_id: str, **marks: Any) -> None:
        try:
            self.store.attempts.mark(assignment_id, attempt_id, **marks)
        finally:
            self._memory.forget(assignment_id)

    def _fingerprint(self, assignment: Assignment, work: Value) -> str:
        fingerprint = self.writing.fingerprint(work)
        return short_hash(assignment.id, fingerprint) if self._each_alone else fingerprint

    def _judged(self, assignment: Assignment, task_item: TaskItem, key: str, ordinal: int, work: Value) -> Attempt:
        name, fingerprint = attempt_name(assignment.id, ordinal), self._fingerprint(assignment, work)
        self.store.attempts.refuse_repeated(assignment.id, key, fingerprint)
        origin = None if self._suggestions is None else self._suggestions.origin(assignment, work)
        asker = self.terms_of(assignment).asker(assignment)
        asked_at = time.monotonic()
        reply = self._model.ask(self.writing.query(work, task_item), key=name, asker=asker)
        answer_ms = round(1000 * (time.monotonic() - asked_at))
        verdict = self.writing.judge(work, reply.prediction, task_item)
        return Attempt(
            id=name,
            assignment_id=assignment.id,
            key=key,
            ordinal=ordinal,
            work=work.model_dump(),
            prediction=reply.prediction.model_dump(),
            fooled=verdict.fooled,
            scores=verdict.scores.model_dump(),
            member=reply.member,
            model_name=reply.model_name,
            model_hash=reply.model_hash,
            model_precision=reply.model_precision,
            created_at=now(),
            fingerprint=fingerprint,
            answer_ms=answer_ms,
            suggestion=origin_fields(origin),
        )

    def _unanswered_doubts(self, work: Value, task_item: TaskItem, appeal: str | None) -> Sequence[str]:
        """Why a person should look at it; raises `Doubtful` unless its writer asks for that."""
        doubts = [] if self._doubts is None else list(self._doubts.about(work, task_item))
        if doubts and appeal is None:
            raise Doubtful(self.writing.repeated[0], joined(doubts))
        return doubts

    def _check_room(self, assignment: Assignment, attempts: list[Attempt]) -> None:
        state, terms = self._state(assignment, attempts, now()), self.terms_of(assignment).terms
        if state.submitted:
            raise Refused(said("refusals.submitted"))
        if assignment.place is None:
            raise Refused(said(TAKEN_OVER))
        if state.seconds_left + ANSWER_GRACE.total_seconds() <= 0:
            raise Refused(said("refusals.time_over"))
        if state.wins >= terms.max_wins:
            raise Refused(said("refusals.all_wins", wins=terms.max_wins))
        if state.tries_left == 0:
            raise Refused(said("refusals.no_tries", tries=terms.max_tries))

    def _explanation(self, attempt: Attempt, payload: object, context: str) -> dict[str, str]:
        """Each of its fields, cleaned."""
        if self.writing.explanation_type is None:
            raise InvalidInput("explanation", said(NOT_EXPLAINED))
        if not attempt.fooled:
            raise InvalidInput("attempt_id", said("refusals.no_win"))
        explanation = read_value(self.writing.explanation_type, payload).model_dump()
        return {
            field: clean_line(field, text, max_chars=MAX_NOTE_CHARS, context=context, called="explanation")
            for field, text in explanation.items()
        }

    def _state(self, assignment: Assignment, attempts: list[Attempt], at: datetime) -> HitState:
        own = self.terms_of(assignment)
        terms, shows_model = own.terms, own.terms.shows_model
        won = [attempt for attempt in attempts if (attempt.fooled or not shows_model) and not attempt.retracted]
        needs_none = self.writing.explanation_type is None or not shows_model
        explained = won if needs_none else [one for one in won if one.explanation]
        tries_left = terms.max_tries - len(attempts)
        if not shows_model:
            tries_left = min(tries_left, terms.max_wins - len(won))
        ends = assignment.accepted_at + timedelta(seconds=terms.time_limit_seconds)
        is_checked = own.outlook.is_checked(self._hit(assignment.hit).context.id, assignment.worker)
        return HitState(
            attempts=tuple(attempts),
            wins=len(won),
            tries_left=max(0, tries_left),
            seconds_left=(ends - at).total_seconds(),
            prospect=own.outlook.prospect(attempts, is_checked=is_checked),
            is_checked=is_checked,
            submitted=assignment.submitted_at is not None,
            tries_missing=max(0, terms.min_tries - len(attempts)) if at < ends else 0,
            explanations_missing=len(won) - len(explained) if at < ends else 0,
            shows_model=shows_model,
        )

    def _open_attempt(self, assignment_id: str, attempt_id: str) -> Attempt:
        """An attempt that may still be changed."""
        assignment, attempts = self.store.attempts.session(assignment_id)
        if assignment.submitted_at is not None:
            raise Refused(said("refusals.submitted.change"))
        return self._attempt(attempts, attempt_id)

    @staticmethod
    def _attempt(attempts: list[Attempt], attempt_id: str) -> Attempt:
        for attempt in attempts:
            if attempt.id == attempt_id:
                return attempt
        raise InvalidInput("attempt_id", said("refusals.no_attempt"))


def _cleaned_appeal(appeal: str | None, task_item: TaskItem) -> str:
    return clean_line("appeal", appeal or "", max_chars=MAX_NOTE_CHARS, context=task_item.context.text)
