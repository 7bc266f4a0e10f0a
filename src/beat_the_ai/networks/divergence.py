"""Checks that a training gave numbers. A run whose loss or figures are none has diverged, and is not exported."""

from __future__ import annotations

import math

from beat_the_ai.errors import AdversaryError
from beat_the_ai.networks.progress import Look


class Diverged(AdversaryError):
    """A training run that has no model to hand over."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: the training has diverged, and nothing was exported. Try a lower --learning-rate.")


def check_loss(loss: float, step: int) -> None:
    """Raise `Diverged` unless the loss of that step is a number."""
    if not math.isfinite(loss):
        raise Diverged(f"The loss is no number from step {step} on")


def check_look(look: Look) -> None:
    """Raise `Diverged` unless the loss and all figures of a look are numbers."""
    check_loss(look.loss, look.step)
    names = [name for name, value in look.figures.items() if not math.isfinite(value)]
    if names:
        raise Diverged(f"{', '.join(names)} of the dev part is no number at step {look.step}")
