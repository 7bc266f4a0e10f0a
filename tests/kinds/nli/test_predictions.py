from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.predictions import prediction

LOGITS = st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=3)


def test_probabilities_are_the_softmax_in_the_order_of_the_model() -> None:
    said = prediction(np.log(np.array([0.5, 0.3, 0.2])), ["contradiction", "entailment", "neutral"])
    assert said.label == "contradiction"
    assert said.probabilities.model_dump() == pytest.approx({"contradiction": 0.5, "entailment": 0.3, "neutral": 0.2})


@pytest.mark.parametrize("order", [LABELS, LABELS[::-1]])
def test_of_equals_the_first_label_is_said(order: tuple[str, ...]) -> None:
    assert prediction(np.zeros(3), order).label == "entailment"  # type: ignore[arg-type]


@given(LOGITS)
def test_any_logits_give_probabilities_that_sum_to_one(logits: list[float]) -> None:
    shares = prediction(np.array(logits, dtype=np.float32)).probabilities
    assert sum(shares.model_dump().values()) == pytest.approx(1)
