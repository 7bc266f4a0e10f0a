"""What a model answers to everything in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from beat_the_ai.adversary.budget import check_covered
from beat_the_ai.adversary.protocol import Adversary, Billed, NoAnswer
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.protocol import Value

BATCH = 32
STDERR = Console(stderr=True)


def answers_of(loaded: Adversary[Any, Any], evaluation: Evaluation, source: Path) -> dict[str, Any]:
    """`{id: answer}` of everything in a file that it answers, with progress on stderr.

    Raises `Refused` where a budget is too small for all of it.
    """
    asked = evaluation.queries(source)
    queries = [query for _, query in asked]
    check_covered(loaded, queries)
    predictions = predictions_of(loaded, queries)
    if unanswered := predictions.count(None):
        STDERR.print(f"{unanswered:,} of {len(queries):,} got no answer that can be read, and count as wrong")
    return {
        name: evaluation.answer(each) for (name, _), each in zip(asked, predictions, strict=True) if each is not None
    }


def predictions_of(model: Adversary[Any, Any], queries: Sequence[Value]) -> list[Any]:
    """In their order, with progress on stderr; None for what gets no answer that can be read."""
    predictions: list[Any] = []
    for batch in track(list(_batches(queries, at_once(model))), description="answering", console=STDERR):
        predictions += answered(model, batch)
    return predictions


def at_once(model: Adversary[Any, Any]) -> int:
    """How many queries it is given: one where each answer is a call of a language model, or has to be paid for."""
    is_charged = isinstance(model, Billed) and model.prices is not None
    return BATCH if model.identity.is_repeatable and not is_charged else 1


def answered(model: Adversary[Any, Any], batch: Sequence[Value]) -> Sequence[Any]:
    """`predict`, with None for what a model that is asked one by one does not answer."""
    try:
        return model.predict(batch)
    except NoAnswer:
        if len(batch) > 1:
            raise
        return [None]


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
