"""Words and labels that go together: pointwise mutual information, and the significance of a share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SMOOTHING = 100.0  # Gururangan et al. 2018: brings out the words of many examples


def pmi(counts: Floats, smoothing: float = SMOOTHING) -> Floats:
    """Return log p(word, label) / (p(word) p(label)), of natural logarithms, for counts of (words, labels).

    `smoothing` is added to every count, of all words (Gururangan et al. 2018).
    """
    smoothed = counts + smoothing
    total = smoothed.sum()
    expected = smoothed.sum(axis=1, keepdims=True) * smoothed.sum(axis=0, keepdims=True) / total
    information: Floats = np.log(smoothed / expected)
    return information


def share_p(successes: int, trials: int, share: float) -> float:
    """Return the two-sided p of so many successes if their `share`, between 0 and 1, were this: a z-test.

    It is the test of a single feature's correlation with a label in Gardner et al. 2021 ("Competency Problems").
    Trials count as independent, and should be 20 or more.
    """
    z = abs(successes - trials * share) / math.sqrt(trials * share * (1 - share))
    return math.erfc(z / math.sqrt(2))
