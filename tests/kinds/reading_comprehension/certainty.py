"""How sure a network is of its answer."""

from __future__ import annotations

from beat_the_ai.kinds.reading_comprehension.writing import Prediction


def certainty(prediction: Prediction) -> float:
    """Networks always tell it."""
    assert prediction.score is not None
    return prediction.score
