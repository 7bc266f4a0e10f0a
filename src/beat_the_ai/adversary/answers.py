"""What a model answers to everything in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from beat_the_ai.adversary.budget import check_covered
from beat_the_ai.adversary.protocol import Adversary
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.protocol import Value

BATCH = 32


def answers_of(loaded: Adversary[Any, Any], evaluation: Evaluation, source: Path) -> dict[str, Any]:
    """`{id: answer}` of everything in a file, with progress on stderr. Raises `Refused` where a budget is too small."""
    asked = evaluation.queries(source)
    queries = [query for _, query in asked]
    check_covered(loaded, queries)
    predictions = predictions_of(loaded, queries)
    return {name: evaluation.answer(each) for (name, _), each in zip(asked, predictions, strict=True)}


def predictions_of(model: Adversary[Any, Any], queries: Sequence[Value]) -> list[Any]:
    """In their order, with progress on stderr."""
    predictions: list[Any] = []
    for batch in track(list(_batches(queries, BATCH)), description="answering", console=Console(stderr=True)):
        predictions += model.predict(batch)
    return predictions


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
