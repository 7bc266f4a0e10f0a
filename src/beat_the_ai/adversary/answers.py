"""A model's answers to everything in a file."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

from beat_the_ai.adversary.budget import check_covered
from beat_the_ai.adversary.protocol import Adversary, Billed, DeadlinePassed, NoAnswer
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.files.values import check_unique
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.protocol import Value

BATCH = 32
MOST_LATE_IN_A_ROW = 5
T = TypeVar("T")
STDERR = Console(stderr=True)


def answers_of(loaded: Adversary[Any, Any], evaluation: Evaluation, source: Path) -> dict[str, Any]:
    """`{id: answer}` of everything in a file that it answers, with progress on stderr.

    Raises `InvalidInput` for a file without examples and for ids that are not unique, and `Refused` where a budget is
    too small for all of it.
    """
    asked = evaluation.queries(source)
    if not asked:
        raise InvalidInput("GOLD", f"{source} holds no examples that a model could be asked.")
    check_unique((name for name, _ in asked), source, "GOLD", "examples")
    queries = [query for _, query in asked]
    check_covered(loaded, queries)
    predictions = predictions_of(loaded, queries)
    if unanswered := predictions.count(None):
        STDERR.print(
            f"{unanswered:,} of {len(queries):,} got no answer that can be read, or none in time, and count as wrong",
            soft_wrap=True,
        )
    return {
        name: evaluation.answer(each) for (name, _), each in zip(asked, predictions, strict=True) if each is not None
    }


def predictions_of(model: Adversary[Any, Any], queries: Sequence[Value]) -> list[Any]:
    """In their order, with progress on stderr; None for what gets no answer in time, or none that can be read."""
    batches = track(list(_batches(queries, at_once(model))), description="answering", console=STDERR)
    return [
        prediction for _, predictions in answered(model, batches, lambda query: query) for prediction in predictions
    ]


def at_once(model: Adversary[Any, Any]) -> int:
    """Return how many queries the model gets at once: one if each answer calls a language model or has a price."""
    is_charged = isinstance(model, Billed) and model.prices is not None
    return BATCH if model.identity.is_repeatable and not is_charged else 1


def answered(
    model: Adversary[Any, Any], batches: Iterable[Sequence[T]], query_of: Callable[[T], Value]
) -> Iterator[tuple[Sequence[T], Sequence[Any]]]:
    """Yield each batch with its predictions: None for what a model that is asked one by one does not answer.

    It may be late, or say what cannot be read. Raise `AdversaryError` as `predict`, and after a few late answers in a
    row: then nobody is there.
    """
    late = 0
    try:
        for batch in batches:
            predictions = _answer(model, [query_of(item) for item in batch])
            late = late + 1 if isinstance(predictions, DeadlinePassed) else 0
            if late == MOST_LATE_IN_A_ROW:
                raise AdversaryError(
                    f"{late} answers in a row did not come in time. {predictions} Run the same command again once the "
                    "model answers."
                )
            yield batch, [None] if isinstance(predictions, AdversaryError) else predictions
    finally:
        if isinstance(batches, Generator):  # a bar that shows progress ends here, and not when it is forgotten
            batches.close()


def _answer(model: Adversary[Any, Any], queries: Sequence[Value]) -> Sequence[Any] | AdversaryError:
    """The predictions, or why a single query has none."""
    try:
        return model.predict(queries)
    except (NoAnswer, DeadlinePassed) as error:
        if len(queries) > 1:
            raise
        return error


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
