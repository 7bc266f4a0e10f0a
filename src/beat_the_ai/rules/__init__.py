"""The kinds of task: what their work looks like, when it is acceptable, when the model is beaten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beat_the_ai.errors import UnknownName
from beat_the_ai.rules.adjudication import Adjudicator
from beat_the_ai.rules.answerability import Answerability
from beat_the_ai.rules.protocol import TaskKind
from beat_the_ai.rules.reading_comprehension import ReadingComprehension

KINDS: dict[str, Callable[..., TaskKind[Any, Any, Any]]] = {ReadingComprehension.name: ReadingComprehension}
ADJUDICATORS: dict[str, Callable[..., Adjudicator]] = {Answerability.name: Answerability}


def task_kind(name: str, **options: Any) -> TaskKind[Any, Any, Any]:
    """The kind of task of that name. Raises `UnknownName`; `options` are the kind's own (thresholds, lengths)."""
    if name not in KINDS:
        raise UnknownName("task", name, KINDS)
    return KINDS[name](**options)


def adjudicator(name: str, **options: Any) -> Adjudicator:
    """How votes on that kind of task are counted. Raises `UnknownName`; `options` are the kind's own."""
    if name not in ADJUDICATORS:
        raise UnknownName("task", name, ADJUDICATORS)
    return ADJUDICATORS[name](**options)
