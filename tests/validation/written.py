"""Questions that somebody wrote, in a store, and a desk for those who check them; no Mephisto."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import ArmBlocks, Attempt, Campaign, Store, ValidationItem, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import ValidationDesk

TEXT = "Mora Quist built the mill at Oxbow in 1807; her son sold it to a miller from Dray for 90 crowns."
ANSWERS = ("Mora Quist", "1807", "Oxbow", "90 crowns", "Dray", "her son", "the mill", "a miller")
YESTERDAY = datetime.now(timezone.utc) - timedelta(days=1)
MODEL_ANSWER = "model-secret-answer"


def span(text: str) -> dict[str, Any]:
    return {"text": text, "start": TEXT.index(text)}


def question(name: str, answer: str) -> dict[str, Any]:
    return {"question": f"Question {name}?", "answer": span(answer)}


def passages(number: int, gold: int = 3) -> list[Context]:
    """Passages with as many reference questions each."""
    return [
        Context(
            f"mill/{index}",
            TEXT,
            "The mill",
            {
                "questions": [
                    {"question": f"Gold {which} on {index}?", "answer": span(ANSWERS[which])} for which in range(gold)
                ]
            },
        )
        for index in range(number)
    ]


def new_campaign(store: Store, contexts: Sequence[Context] | None = None, seed: int = 7) -> Campaign:
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", seed, "k" * 64, {}, now()))
    store.campaigns.offer("pilot", contexts if contexts is not None else passages(3), round_number=1, slots=4)
    return campaign


def write(
    store: Store,
    context_id: str = "mill/0",
    writer: str = "writer-secret",
    answers: Sequence[str] = ANSWERS[:1],
    *,
    slot: int = 0,
    submitted: bool = True,
    arms: ArmBlocks | None = None,
    minutes: float = 0,
    **changes: Any,
) -> list[str]:
    """A writer's HIT on a passage, with a question for each answer. Returns the ids of its attempts.

    It is submitted so many `minutes` after its acceptance.
    """
    from beat_the_ai.store import hit_id

    hit, registration = hit_id("pilot", context_id, slot), f"r-{writer}-{slot}"
    assignment = store.attempts.accept(hit, writer, registration, YESTERDAY, arms=arms)[0]
    made = []
    for ordinal, answer in enumerate(answers, start=1):
        attempt = Attempt(
            id=short_hash(assignment.id, ordinal),
            assignment_id=assignment.id,
            key=f"k{ordinal}",
            ordinal=ordinal,
            work=changes.get("work", question)(f"{ordinal} of {writer} on {context_id}", answer),
            prediction=changes.get("prediction", {"text": MODEL_ANSWER, "start": 0, "score": 0.5}),
            fooled=changes.get("fooled", True),
            scores=changes.get("scores", {"f1": 0.0}),
            member="m1",
            model_name="fake",
            model_hash="a" * 64,
            model_precision="fp32",
            created_at=YESTERDAY,
            retracted_at=changes.get("retracted_at"),
            explanation=changes.get("explanation"),
            doubts=changes.get("doubts"),
        )
        made.append(store.attempts.add(attempt).id)
    if submitted:
        store.assignments.submit(assignment.id, None, YESTERDAY + timedelta(minutes=minutes))
    return made


def new_desk(
    store: Store,
    campaign: Campaign,
    rules: Checking | None = None,
    *,
    desk: Mapping[str, Any] | None = None,
    **terms: Any,
) -> ValidationDesk:
    chosen = ValidationTerms(**{"gold_per_hit": 0, **terms})
    return ValidationDesk(BoundCampaign.open(store, campaign.id), rules or Answerability(), chosen, **(desk or {}))


def items(desk: ValidationDesk, assignment_id: str) -> list[ValidationItem]:
    return [each.item for each in desk.state(assignment_id).items]


def answer_all(
    desk: ValidationDesk, worker: str, answers: Mapping[str, str | None], hit: str | None = None
) -> list[str]:
    """Take a HIT, answer every question (by attempt; the default is "cannot be answered"), submit."""
    assignment = desk.accept(hit or f"hit of {worker}", worker, "r")
    for item in items(desk, assignment.id):
        text = answers.get(item.attempt_id or "")
        desk.vote(assignment.id, item.id, "k", {"answer": None if text is None else span(text)})
    desk.finish(assignment.id)
    return [item.attempt_id for item in items(desk, assignment.id) if item.attempt_id]
