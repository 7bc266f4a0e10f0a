"""How a model does on a development part of pairs, and what is decided by it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.networks.calibration import expected_calibration_error, log_probabilities
from beat_the_ai.networks.progress import Deciding


def figures(logits: NDArray[np.floating], labels: NDArray[np.int64], temperature: float = 1.0) -> dict[str, float]:
    """Of logits (N, 3) and true labels (N,): accuracy in percent, mean loss in nats, expected calibration error."""
    likely = log_probabilities(logits, temperature)[np.arange(len(labels)), labels]
    return {
        "accuracy": 100 * float(np.mean(logits.argmax(axis=1) == labels)),
        "loss": -float(likely.mean()),
        "calibration_error": expected_calibration_error(logits, labels, temperature),
    }


def in_words(found: Mapping[str, float]) -> str:
    return (
        f"accuracy {found['accuracy']:.1f}%  loss {found['loss']:.3f}  "
        f"calibration error {found['calibration_error']:.3f}"
    )


def deciding(*, by_loss: bool) -> Deciding:
    """By loss, or else by accuracy, which tells little where the part holds what the model to go on from got wrong."""
    return Deciding("loss", more_is_better=False) if by_loss else Deciding("accuracy", more_is_better=True)
