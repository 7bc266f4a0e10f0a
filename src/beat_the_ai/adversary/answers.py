"""What a model answers to everything in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from beat_the_ai.adversary.protocol import Adversary
from beat_the_ai.rules.evaluation import Evaluation

BATCH = 32


def answers_of(loaded: Adversary[Any, Any], evaluation: Evaluation, source: Path) -> dict[str, Any]:
    """`{id: answer}` of everything in a file, with progress on stderr."""
    answers: dict[str, Any] = {}
    batches = list(_batches(evaluation.queries(source), BATCH))
    for batch in track(batches, description="answering", console=Console(stderr=True)):
        predictions = loaded.predict([query for _, query in batch])
        answers.update((name, evaluation.answer(one)) for (name, _), one in zip(batch, predictions, strict=True))
    return answers


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
