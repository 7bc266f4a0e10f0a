"""The figures of a model on a development part of pairs, and the decisions that they make."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.networks.calibration import expected_calibration_error, log_probabilities
from beat_the_ai.networks.progress import Deciding


def figures(logits: NDArray[np.floating], labels: NDArray[np.int64], temperature: float = 1.0) -> dict[str, float]:
    """Return the figures of logits (N, 3) and true labels (N,): accuracy in percent, mean loss, calibration error.

    The loss is in nats. The calibration error is the expected one.
    """
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
    """Return the deciding figure: loss or accuracy.

    Accuracy tells little about a development part of works that beat the model from which training continues.
    """
    return Deciding("loss", more_is_better=False) if by_loss else Deciding("accuracy", more_is_better=True)
