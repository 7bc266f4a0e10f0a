"""From logits over start and end words to one answer span and how sure the network is of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_SPAN_WORDS = 16


@dataclass(frozen=True)
class BestSpan:
    """First and last word of a span, its start plus end logit, and the log of what all allowed spans add up to."""

    first: int
    last: int
    logit: float
    log_total: float


def span_logits(start: NDArray[np.float32], end: NDArray[np.float32]) -> NDArray[np.float64]:
    """Start plus end logit of every span of at most 16 words, [words after the first, first word]; others are -inf."""
    words = len(start)
    table = np.full((min(MAX_SPAN_WORDS, words), words), -np.inf, dtype=np.float64)
    for more in range(len(table)):
        table[more, : words - more] = start[: words - more] + end[more:]
    return table


def best_span(start: NDArray[np.float32], end: NDArray[np.float32]) -> BestSpan:
    """The span with the highest logit; both arguments are (T,), T >= 1. The earlier, then the shorter one wins a tie.

    exp(logit - log_total) is its probability under a softmax over all spans that could be answers.
    """
    table = span_logits(start, end)
    first = int(table.max(axis=0).argmax())
    more = int(table[:, first].argmax())
    logit = float(table[more, first])
    return BestSpan(first, first + more, logit, logit + float(np.log(np.exp(table - logit).sum())))
