"""What a newcomer's page may know: the step at hand and nothing of its key; a hint only after the mistake it is for."""

from __future__ import annotations

from typing import Any

from beat_the_ai.store import ScreeningResponse
from beat_the_ai.workforce.screening import grading
from beat_the_ai.workforce.screening.desk import ScreeningDesk, ScreeningState
from beat_the_ai.workforce.screening.quiz import AnswerStep, QuestionStep, Quiz, Step
from beat_the_ai.writing import page_state

INSTRUCTIONS = {
    "question": "Write a question that the marked answer answers.",
    "answer": "Mark the answer to this question in the passage.",
    "pair": "Write a question of your own, and mark its answer in the passage.",
}
SAMPLE_ID = "sample"
MESSAGES = {
    grading.NOT_A_QUESTION: "This is not yet a question. Ask in a whole sentence, with a word such as “who”, “which” "
    "or “how long”, and end it with a question mark.",
    grading.COPIED: "Most of this question is copied from the passage. Please ask in your own words.",
    grading.CONTAINS_ANSWER: "This question already contains its answer. Ask so that one has to look for it.",
    grading.REPEATED: "This question was asked before. Please ask another one.",
    grading.TOO_LONG: "This is more than was asked for. Mark the shortest words that answer the question.",
    grading.TOO_SHORT: "Nearly: this is a part of the answer. Mark all of it.",
    grading.ELSEWHERE: "This does not answer the question. Read the passage once more.",
}


def page_screening(desk: ScreeningDesk, state: ScreeningState) -> dict[str, Any]:
    quiz = desk.quiz
    at = _failed_step(quiz, state) if state.failed else state.step
    done = list(quiz.steps).index(at) if at else len(quiz.steps)
    return {
        "phase": _phase(state),
        "steps": [*({"id": step.id, "kind": step.kind} for step in quiz.steps), {"id": SAMPLE_ID, "kind": SAMPLE_ID}],
        "steps_done": done,
        "step": page_step(quiz, at, state) if at else None,
        "sample": _sample(desk) if state.steps_done else None,
        "hit": page_state(state.sample) if state.steps_done else None,
        "seconds_left": round(state.sample.seconds_left),
    }


def page_step(quiz: Quiz, step: Step, state: ScreeningState) -> dict[str, Any]:
    mistakes = state.mistakes(step)
    passage = quiz.passages[step.passage]
    return {
        "id": step.id,
        "kind": step.kind,
        "instruction": INSTRUCTIONS[step.kind],
        "passage": {"id": step.passage, "title": passage.title, "text": passage.text},
        "question": step.question if isinstance(step, AnswerStep) else None,
        "answer": quiz.span(step.passage, step.answer).model_dump() if isinstance(step, QuestionStep) else None,
        "example_passage": quiz.example_passage,
        "examples": [example.model_dump() for example in quiz.examples.get(step.kind, ())],
        "mistakes": [page_mistake(step, mistake, number) for number, mistake in enumerate(mistakes)],
        "tries_left": quiz.tries_per_step - len(mistakes),
    }


def page_mistake(step: Step, mistake: str, number: int) -> dict[str, Any]:
    """What was wrong, and the quiz's own hint for the mistake of that number, counted from 0."""
    hint = step.hints[min(number, len(step.hints) - 1)] if step.hints else None
    return {"message": MESSAGES[mistake], "hint": hint}


def page_response(response: ScreeningResponse) -> dict[str, Any]:
    """How a try went; where a newcomer's question was asked of the model, what that answered."""
    return {
        "step": response.step,
        "right": response.right,
        "model_answer": response.evidence.get("model_answer") if response.right else None,
    }


def page_config(desk: ScreeningDesk) -> dict[str, Any]:
    """What every page is told before anybody accepts the HIT; nothing in it is secret."""
    terms, quiz, kind = desk.sample.terms, desk.quiz, desk.kind
    return {
        "page": "qualification",
        "steps": [step.kind for step in quiz.steps],
        "tries_per_step": quiz.tries_per_step,
        "min_attempts": quiz.sample.min_attempts,
        "wins_wanted": terms.wins_wanted,
        "max_wins": terms.max_wins,
        "max_tries": terms.max_tries,
        "reward_cents": terms.reward_cents,
        "time_limit_seconds": terms.time_limit_seconds,
        "f1_threshold": kind.f1_threshold,
        "max_question_chars": kind.max_question_chars,
        "max_answer_words": kind.max_answer_words,
    }


def _phase(state: ScreeningState) -> str:
    if state.screening.submitted_at is not None:
        return "submitted"
    if state.failed:
        return "failed"
    return "sample" if state.steps_done else "steps"


def _failed_step(quiz: Quiz, state: ScreeningState) -> Step:
    last = state.responses[-1].step
    return next(step for step in quiz.steps if step.id == last)


def _sample(desk: ScreeningDesk) -> dict[str, str]:
    context = desk.sample_context
    return {"id": context.id, "title": context.title, "text": context.text}
