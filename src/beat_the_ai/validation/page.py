"""The data that a validator's page may have: contexts, works and the validator's own answers.

For works that are shown step by step, it has only the steps shown so far. It has only the titles of their contexts,
whose text tells writers what to write.

The page never has the writer's answer, the model's, the author of a work, or whether it is gold (DESIGN's fourth
invariant). The views here name every field that is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.rules.checking import Gradual
from beat_the_ai.rules.protocol import View
from beat_the_ai.validation.desk import ValidationDesk, ValidationState


class Context(View):
    """The subject of works, without its private parts."""

    id: str
    title: str
    text: str


class Item(View):
    """A work to check; `work` is the part of it that the kind shows."""

    id: str
    context_id: str
    work: Mapping[str, Any]


class Task(View):
    """The page's initial data, which does not change while the HIT lasts."""

    hit: str
    contexts: tuple[Context, ...]
    items: tuple[Item, ...]


class Hit(View):
    """The validator's progress.

    `votes` holds the last answer to each work that has one. `revealed` holds the steps shown so far, of works that are
    shown step by step.
    """

    revealed: Mapping[str, Any]
    votes: Mapping[str, Any]
    complete: bool
    seconds_left: int


def page_material(desk: ValidationDesk, assignment_id: str) -> dict[str, Any]:
    _, items, _ = desk.store.validations.session(assignment_id)
    contexts, works = desk.store.validations.material(assignment_id)
    in_order = dict.fromkeys(item.context_id for item in items)
    hides = isinstance(desk.checking, Gradual)
    ids = {name: str(place) if hides else name for place, name in enumerate(in_order)}
    return Task(
        hit=assignment_id,
        contexts=tuple(
            Context(id=ids[name], title=contexts[name].title, text="" if hides else contexts[name].text)
            for name in in_order
        ),
        items=tuple(
            Item(id=item.id, context_id=ids[item.context_id], work=desk.checking.shown(works[item.id]))
            for item in items
        ),
    ).sent()


def page_validation(state: ValidationState) -> dict[str, Any]:
    return Hit(
        revealed={each.item.id: each.revealed for each in state.items if each.revealed is not None},
        votes={each.item.id: each.vote.vote for each in state.items if each.vote is not None},
        complete=state.complete,
        seconds_left=round(state.seconds_left),
    ).sent()
