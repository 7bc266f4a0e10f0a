"""How many simulated writers have which persona."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.simulation.personas import mix


def test_a_mix_has_the_personas_that_its_shares_say() -> None:
    made = mix(40, {"sloppy": 0.1, "malicious": 0.1, "copying": 0.1}, seed=1)
    assert Counter(made) == {"good": 28, "sloppy": 4, "malicious": 4, "copying": 4}
    assert made == mix(40, {"sloppy": 0.1, "malicious": 0.1, "copying": 0.1}, seed=1)
    assert made != mix(40, {"sloppy": 0.1, "malicious": 0.1, "copying": 0.1}, seed=2)
    assert set(mix(3, {}, seed=1)) == {"good"}


@given(st.integers(0, 60), st.floats(0, 0.5), st.floats(0, 0.5), st.integers())
def test_a_mix_is_never_too_large_nor_too_small(writers: int, sloppy: float, malicious: float, seed: int) -> None:
    counts = Counter(mix(writers, {"sloppy": sloppy, "malicious": malicious}, seed))
    assert counts.total() == writers
    assert abs(counts["sloppy"] - sloppy * writers) < 1 + 1e-6
    assert abs(counts["malicious"] - malicious * writers) < 1 + 1e-6


def test_shares_that_make_no_sense_are_refused() -> None:
    with pytest.raises(UnknownName, match="malicious"):
        mix(10, {"evil": 0.1}, 1)
    for shares in ({"sloppy": -0.1}, {"sloppy": 0.7, "copying": 0.7}):
        with pytest.raises(InvalidInput, match="at most 1"):
            mix(10, shares, 1)
