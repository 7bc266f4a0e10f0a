from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hypothesis_numpy
from numpy.typing import NDArray

from beat_the_ai.kinds.reading_comprehension.bidaf.calibration import fit_temperature
from beat_the_ai.kinds.reading_comprehension.bidaf.span import MAX_SPAN_WORDS, best_span

Floats = NDArray[np.float32]
LOGITS = st.integers(1, 30).flatmap(
    lambda words: hypothesis_numpy.arrays(np.float32, (2, words), elements=st.floats(-20, 20, width=32))
)


@given(LOGITS)
def test_the_best_span_is_the_best_of_all_that_are_allowed(logits: Floats) -> None:
    start, end = logits
    allowed = [(i, j) for i in range(len(start)) for j in range(i, min(len(start), i + MAX_SPAN_WORDS))]
    scores = [float(start[i]) + float(end[j]) for i, j in allowed]
    span = best_span(start, end)
    assert (span.first, span.last) in allowed
    assert span.logit == pytest.approx(max(scores), abs=1e-5)
    assert span.log_total == pytest.approx(float(np.logaddexp.reduce(scores)), abs=1e-4)


def test_on_a_tie_the_earlier_and_shorter_span_wins() -> None:
    span = best_span(np.zeros(5, np.float32), np.zeros(5, np.float32))
    assert (span.first, span.last) == (0, 0)


def test_a_span_of_more_than_sixteen_words_is_never_given() -> None:
    start, end = np.zeros(40, np.float32), np.zeros(40, np.float32)
    start[0] = end[39] = 5.0
    span = best_span(start, end)
    assert span.last - span.first < MAX_SPAN_WORDS


def test_the_temperature_of_an_overconfident_network_is_found() -> None:
    generator = np.random.default_rng(0)
    judged = []
    for _ in range(300):
        start, end = generator.normal(size=(2, 5)).astype(np.float32) * 2
        chances = [math.exp(start[i] + end[j]) if i <= j else 0.0 for i in range(5) for j in range(5)]
        first, last = divmod(generator.choice(25, p=np.array(chances) / sum(chances)), 5)
        judged.append((start * 2, end * 2, int(first), int(last)))  # says it twice as loudly as it is
    assert fit_temperature(judged) == pytest.approx(2.0, rel=0.15)


def test_without_questions_scores_are_left_alone() -> None:
    assert fit_temperature([]) == 1.0
