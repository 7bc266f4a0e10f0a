"""From a network's logits to what is said of a pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.nli.labels import LABELS, Label, Prediction, Probabilities


def prediction(logits: NDArray[np.floating], order: Sequence[Label] = LABELS) -> Prediction:
    """Return the prediction of logits (3,) whose labels stand in that order."""
    exact = logits.astype(np.float64)
    weights = np.exp(exact - exact.max())
    shares = dict(zip(order, (weights / weights.sum()).tolist(), strict=True))
    return Prediction(label=max(LABELS, key=shares.__getitem__), probabilities=Probabilities(**shares))
