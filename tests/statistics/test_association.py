"""Words and labels that go together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from beat_the_ai.statistics.association import pmi, share_p


def test_pmi_is_the_value_by_hand() -> None:
    """Check two words with two labels, 8 and 2 against 3 and 7: p(word, label) is 0.4, the margins 0.55 and 0.5."""
    found = pmi(np.array([[8.0, 2.0], [3.0, 7.0]]), smoothing=0)
    assert found[0, 0] == pytest.approx(math.log(0.4 / (0.5 * 0.55)))
    assert found[0, 1] == pytest.approx(math.log(0.1 / (0.5 * 0.45)))


def test_smoothing_is_added_to_every_count() -> None:
    found = pmi(np.array([[8.0, 2.0], [3.0, 7.0]]))
    assert found[0, 0] == pytest.approx(math.log(108 * 420 / (210 * 211)))


def test_the_p_of_a_share_is_that_of_the_normal_distribution() -> None:
    scipy = pytest.importorskip("scipy.stats", reason="scipy comes with the tools for tests")
    z = (30 - 20) / math.sqrt(60 * (1 / 3) * (2 / 3))
    assert share_p(30, 60, 1 / 3) == pytest.approx(2 * scipy.norm.sf(z))
    assert share_p(20, 60, 1 / 3) == 1
