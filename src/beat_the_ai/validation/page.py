"""What a validator's page may know: contexts, works and the validator's own answers.

Of works that are shown step by step it knows no more than has been shown, and of their contexts, whose text tells
writers what to write, the title alone.

Never the writer's answer, the model's, who wrote a work, or whether it is gold (DESIGN's fourth invariant): the two
functions here name every field that is sent.
"""

from __future__ import annotations

from typing import Any

from beat_the_ai.rules.adjudication import Gradual
from beat_the_ai.validation.desk import ValidationDesk, ValidationState


def page_material(desk: ValidationDesk, assignment_id: str) -> dict[str, Any]:
    """What the page starts with: it does not change while the HIT lasts."""
    _, items, _ = desk.store.validations.session(assignment_id)
    contexts, works = desk.store.validations.material(assignment_id)
    in_order = dict.fromkeys(item.context_id for item in items)
    hides = isinstance(desk.checking, Gradual)
    ids = {name: str(place) if hides else name for place, name in enumerate(in_order)}
    return {
        "hit": assignment_id,
        "contexts": [
            {"id": ids[name], "title": contexts[name].title, "text": "" if hides else contexts[name].text}
            for name in in_order
        ],
        "items": [
            {"id": item.id, "context_id": ids[item.context_id], "work": desk.checking.shown(works[item.id])}
            for item in items
        ],
    }


def page_validation(state: ValidationState) -> dict[str, Any]:
    """Where the validator stands. `votes` holds the last answer to each work that has one.

    `revealed` is what was shown of works that are shown step by step.
    """
    return {
        "revealed": {each.item.id: each.revealed for each in state.items if each.revealed is not None},
        "votes": {each.item.id: dict(each.vote.vote) for each in state.items if each.vote is not None},
        "complete": state.complete,
        "seconds_left": round(state.seconds_left),
    }
