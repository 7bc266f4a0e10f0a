"""The records of a HIT that a writer's page is sent: never the author, nor anything private of the context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import Context as WholeContext
from beat_the_ai.rules.protocol import Moment, View
from beat_the_ai.store import Attempt as StoredAttempt
from beat_the_ai.store import Hit as StoredHit
from beat_the_ai.writing.session import FlagReason, HitState
from beat_the_ai.writing.suggestions import SuggestionsSoFar


class Context(View):
    """The subject of a HIT, without its private parts."""

    id: str
    title: str
    text: str

    @classmethod
    def of(cls, context: WholeContext) -> Context:
        return cls.model_validate(context)


class ArmPage(View):
    """The page of an arm's writers: `config` and `words`, by language, stand in the place of all writers'.

    With `suggests` they are shown suggestions.
    """

    config: Mapping[str, Any]
    words: Mapping[str, Any]
    suggests: bool = False


class Task(View):
    """The page's initial data. `hit` is the assignment; `brief` is the kind's particular demand."""

    hit: str
    context: Context
    brief: Mapping[str, Any]
    arm: ArmPage | None

    @classmethod
    def of(cls, assignment_id: str, hit: StoredHit, writing: Writing[Any, Any, Any], arm: ArmPage | None) -> Task:
        context, brief = Context.of(hit.context), writing.shown(hit.task_item)
        return cls(hit=assignment_id, context=context, brief=brief, arm=arm)


class Flag(View):
    """The writer's report on a verdict."""

    reason: FlagReason
    note: str


class Attempt(View):
    """An attempt; `work`, `prediction` and `scores` are the kind's.

    A writer whom the HIT shows no model gets no verdict (`fooled` is None) and nothing that tells of one.

    `doubts` are the reasons why a reviewer looks at it before it counts; `admitted` is what the reviewer said.
    """

    attempt_id: str
    work: Mapping[str, Any]
    prediction: Mapping[str, Any]
    scores: Mapping[str, Any]
    fooled: bool | None
    retracted: bool
    flag: Flag | None
    explanation: Mapping[str, Any] | None
    doubts: Sequence[str] | None
    admitted: bool | None
    created_at: Moment

    @classmethod
    def of(cls, attempt: StoredAttempt, *, shows_model: bool) -> Attempt:
        flag = {"reason": attempt.flag_reason, "note": attempt.flag_note or ""} if attempt.flag_reason else None
        return cls(
            attempt_id=attempt.id,
            work=attempt.work,
            prediction=attempt.prediction if shows_model else {},
            scores=attempt.scores if shows_model else {},
            fooled=attempt.fooled if shows_model else None,
            retracted=attempt.retracted,
            flag=None if flag is None else Flag.model_validate(flag),
            explanation=attempt.explanation,
            doubts=attempt.doubts,
            admitted=attempt.admitted,
            created_at=attempt.created_at,
        )


class Suggestion(View):
    """A suggestion of a model, with the fields of a work that it has; `ordinal` counts those that were shown."""

    ordinal: int
    work: Mapping[str, Any]


class SuggestionState(View):
    """The suggestions that were shown in a HIT, in their order, and whether there are `more`."""

    suggestions: Sequence[Suggestion]
    more: bool


class Standing(View):
    """The state of a HIT without its attempts, which a page that has just submitted one has already.

    `bonus_cents` come with the wins once the HIT is submitted and confirmed; other people may add up to
    `possible_bonus_cents`. `is_checked`: they will check what is written here. While time is left, the HIT can be
    submitted after `tries_missing` more tries and `explanations_missing` more explanations.
    """

    wins: int
    tries_left: int
    complete: bool
    seconds_left: int
    bonus_cents: int
    possible_bonus_cents: int
    is_checked: bool
    tries_missing: int
    explanations_missing: int

    @classmethod
    def of(cls, state: HitState) -> Standing:
        return cls(
            wins=state.wins,
            tries_left=state.tries_left,
            complete=state.complete,
            seconds_left=round(state.seconds_left),
            bonus_cents=state.prospect.cents,
            possible_bonus_cents=state.prospect.possible_cents,
            is_checked=state.is_checked,
            tries_missing=state.tries_missing,
            explanations_missing=state.explanations_missing,
        )


def page_suggestions(so_far: SuggestionsSoFar) -> dict[str, Any]:
    shown = [Suggestion(ordinal=one.ordinal, work=one.content) for one in so_far.shown]
    return SuggestionState(suggestions=shown, more=so_far.more).sent()


def page_state(state: HitState) -> dict[str, Any]:
    attempts = [page_attempt(attempt, shows_model=state.shows_model) for attempt in state.attempts]
    return {"attempts": attempts, **page_standing(state)}


def page_standing(state: HitState) -> dict[str, Any]:
    return Standing.of(state).sent()


def page_attempt(attempt: StoredAttempt, *, shows_model: bool = True) -> dict[str, Any]:
    return Attempt.of(attempt, shows_model=shows_model).sent()


def page_task(
    assignment_id: str, hit: StoredHit, writing: Writing[Any, Any, Any], arm: ArmPage | None = None
) -> dict[str, Any]:
    return Task.of(assignment_id, hit, writing, arm).sent()
