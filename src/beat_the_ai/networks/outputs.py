"""A network as a function, and checks of its outputs: they have to be numbers, or nothing may be read from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.errors import AdversaryError

Run = Callable[[dict[str, NDArray[Any]]], Sequence[NDArray[Any]]]
"""From arrays by the names of a network's inputs to its outputs."""


class NoNumbers(AdversaryError):
    """A network whose outputs are NaN or infinite."""


def check_numbers(outputs: Iterable[NDArray[np.floating]]) -> None:
    """Raise `NoNumbers` for what is no number, or beyond them; minus infinity rules out, and is one."""
    if any(np.isnan(values).any() or np.isposinf(values).any() for values in outputs):
        raise NoNumbers(
            "The network computes no numbers: its weights are damaged, or too large for its precision. Try another "
            "precision, such as fp32 or bf16."
        )
