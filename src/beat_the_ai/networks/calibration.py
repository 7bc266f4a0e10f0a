"""Honest probabilities: the temperature by which logits are divided, and how far off they are (Guo et al. 2017)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TEMPERATURES = np.geomspace(0.5, 4.0, 121)
BINS = 15


def fit_temperature(logits: NDArray[np.floating], labels: NDArray[np.int64]) -> float:
    """The temperature under which the true labels (N,) are most likely, of logits (N, C) (§4.2)."""
    rows = np.arange(len(labels))
    likely = [log_probabilities(logits, temperature)[rows, labels].sum() for temperature in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmax(likely))])


def log_probabilities(logits: NDArray[np.floating], temperature: float) -> NDArray[np.float64]:
    """Logarithms of the softmax of logits (N, C) at a temperature."""
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(axis=1, keepdims=True)
    logs: NDArray[np.float64] = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
    return logs


def expected_calibration_error(logits: NDArray[np.floating], labels: NDArray[np.int64], temperature: float) -> float:
    """Return the distance of the mean probability from the accuracy, in 15 bins of equal width (§2), 0 to 1."""
    shares = np.exp(log_probabilities(logits, temperature))
    said, surest = shares.argmax(axis=1), shares.max(axis=1)
    bins = np.minimum((surest * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, weights=(said == labels) - surest, minlength=BINS)
    return float(np.abs(gaps).sum() / len(labels))
