"""One number that makes scores honest: the temperature by which logits are divided (Guo et al. 2017, §4.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.reading_comprehension.bidaf.span import MAX_SPAN_WORDS, span_logits

TEMPERATURES = np.geomspace(0.5, 4.0, 61)

Judged = tuple[NDArray[np.float32], NDArray[np.float32], int, int]
"""Start and end logits of a question, each (T,), and the first and last word of its true answer."""


def fit_temperature(judged: Sequence[Judged]) -> float:
    """The temperature under which the true answers are most likely; 1 without any. Too long answers are left out."""
    short = [item for item in judged if item[3] - item[2] < MAX_SPAN_WORDS]
    if not short:
        return 1.0
    losses = np.zeros(len(TEMPERATURES))
    for start, end, first, last in short:
        table = span_logits(start, end)
        table -= table.max()
        scaled = table[None] / TEMPERATURES[:, None, None]
        losses += np.log(np.exp(scaled).sum(axis=(1, 2))) - scaled[:, last - first, first]
    return float(TEMPERATURES[losses.argmin()])
