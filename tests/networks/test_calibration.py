from __future__ import annotations

import numpy as np
import pytest

from beat_the_ai.networks.calibration import (
    expected_calibration_error,
    fit_temperature,
    log_probabilities,
)


@pytest.mark.parametrize("temperature", [0.7, 1.0, 2.5])
def test_the_temperature_is_found_that_made_the_labels(temperature: float) -> None:
    generator = np.random.default_rng(1)
    logits = generator.normal(size=(20_000, 3), scale=2)
    shares = np.exp(log_probabilities(logits, temperature))
    labels = (generator.random((len(logits), 1)) > shares.cumsum(axis=1)).sum(axis=1).clip(max=2)
    assert fit_temperature(logits, labels) == pytest.approx(temperature, rel=0.05)
    assert expected_calibration_error(logits, labels, temperature) < 0.01
    assert expected_calibration_error(logits, labels, temperature / 3) > 0.05


def test_the_calibration_error_is_the_gap_between_sureness_and_accuracy() -> None:
    logits = np.log(np.array([[0.8, 0.1, 0.1]] * 4 + [[0.5, 0.25, 0.25]] * 4))
    labels = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    assert expected_calibration_error(logits, labels, 1.0) == pytest.approx((0.8 - 0.75 + 0.5 - 0.25) / 2)


def test_extreme_logits_give_finite_temperatures() -> None:
    logits = np.array([[1e6, -1e6, 0.0], [-1e6, 1e6, 0.0]], dtype=np.float32)
    assert np.isfinite(fit_temperature(logits, np.array([1, 1])))
