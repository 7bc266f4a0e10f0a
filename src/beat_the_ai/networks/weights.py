"""Checks on a network's weights, and the one reader of our own checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from torch import Tensor

from beat_the_ai.errors import AdversaryError

UNREADABLE = (OSError, EOFError, ValueError, TypeError, LookupError, RuntimeError, AttributeError, UnpicklingError)


def not_finite(weights: Iterable[tuple[str, Tensor]]) -> str | None:
    """Return the name of the first weight that holds NaN or an infinity, or None."""
    return next(
        (name for name, values in weights if values.is_floating_point() and not bool(torch.isfinite(values).all())),
        None,
    )


def check_weights(source: str, weights: Iterable[tuple[str, Tensor]]) -> None:
    """Raise `AdversaryError` for a network that holds NaN or an infinity."""
    name = not_finite(weights)
    if name is not None:
        raise AdversaryError(
            f"{source!r} cannot be used: {name} holds values that are no numbers. Its weights are damaged, its "
            "training has diverged, or they are too large for the precision. Name another model, or precision fp32."
        )


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return what `torch.save` wrote, on the CPU: tensors and plain values alone. Raises `AdversaryError`."""
    with as_checkpoint(path):
        stored: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    return stored


@contextmanager
def as_checkpoint(path: Path) -> Iterator[None]:
    """Raise `AdversaryError` where the block finds something else than a checkpoint in the file."""
    try:
        yield
    except UNREADABLE as error:
        raise AdversaryError(
            f"{path.name!r} is no checkpoint that `beat-the-ai train` has written, or it is damaged. No other pickle "
            "is read. Name a best.pt, or the exported model."
        ) from error
