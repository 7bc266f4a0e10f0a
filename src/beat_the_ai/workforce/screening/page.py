"""The data that a newcomer's page may have: the step at hand without its key; a hint only after its mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from beat_the_ai.rules.protocol import View
from beat_the_ai.rules.screening import Step as QuizStep
from beat_the_ai.store import ScreeningResponse
from beat_the_ai.workforce.screening.desk import ScreeningDesk, ScreeningState
from beat_the_ai.writing import page_state

SAMPLE_ID = "sample"
Phase = Literal["steps", "sample", "failed", "submitted"]


class StepName(View):
    """A step of the quiz, or the sample HIT."""

    id: str
    kind: str


class Sample(View):
    """The context of the sample HIT; `brief` is the kind's particular demand."""

    id: str
    title: str
    text: str
    brief: Mapping[str, Any]


class Screening(View):
    """A newcomer's progress. `step` is the step at hand, with the kind's fields; `hit` is the sample HIT."""

    phase: Phase
    steps: tuple[StepName, ...]
    steps_done: int
    step: Mapping[str, Any] | None
    sample: Sample | None
    hit: Mapping[str, Any] | None
    seconds_left: int


def page_screening(desk: ScreeningDesk, state: ScreeningState) -> dict[str, Any]:
    steps = desk.quiz.steps
    at = _failed_step(desk, state) if state.failed else state.step
    done = [step.id for step in steps].index(at.id) if at else len(steps)
    names = [StepName(id=step.id, kind=step.kind) for step in steps]
    return Screening(
        phase=_phase(state),
        steps=(*names, StepName(id=SAMPLE_ID, kind=SAMPLE_ID)),
        steps_done=done,
        step=_page_step(desk, at, state) if at else None,
        sample=_sample(desk) if state.steps_done else None,
        hit=page_state(state.sample) if state.steps_done else None,
        seconds_left=round(state.sample.seconds_left),
    ).sent()


def _page_step(desk: ScreeningDesk, step: QuizStep, state: ScreeningState) -> dict[str, Any]:
    mistakes = state.mistakes(step)
    return {
        "id": step.id,
        "kind": step.kind,
        **desk.quiz.shown(step.id),
        "mistakes": [desk.quiz.explanation(step.id, mistake, number) for number, mistake in enumerate(mistakes)],
        "tries_left": desk.quiz.tries_per_step - len(mistakes),
    }


def page_response(desk: ScreeningDesk, response: ScreeningResponse) -> dict[str, Any]:
    """Return the result of a try, with the part of the model's answer that the kind shows, if it was asked."""
    told = desk.quiz.disclosure(response.evidence if response.right else {})
    return {"step": response.step, "right": response.right, **told}


def page_config(desk: ScreeningDesk) -> dict[str, Any]:
    """Return the data that every page gets before the HIT is accepted; nothing in it is secret."""
    terms, quiz = desk.sample.terms, desk.quiz
    return {
        **quiz.page_config,
        "steps": [step.kind for step in quiz.steps],
        "tries_per_step": quiz.tries_per_step,
        "min_attempts": quiz.sample.min_attempts,
        "wins_wanted": terms.wins_wanted,
        "max_wins": terms.max_wins,
        "max_tries": terms.max_tries,
        "reward_cents": terms.reward_cents,
        "time_limit_seconds": terms.time_limit_seconds,
    }


def _phase(state: ScreeningState) -> Phase:
    if state.screening.submitted_at is not None:
        return "submitted"
    if state.failed:
        return "failed"
    return "sample" if state.steps_done else "steps"


def _failed_step(desk: ScreeningDesk, state: ScreeningState) -> QuizStep:
    last = state.responses[-1].step
    return next(step for step in desk.quiz.steps if step.id == last)


def _sample(desk: ScreeningDesk) -> Sample:
    context, brief = desk.sample_hit.context, desk.sample.writing.shown(desk.sample_hit.task_item)
    return Sample(id=context.id, title=context.title, text=context.text, brief=brief)
