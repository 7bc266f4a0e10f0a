"""How amounts read, in every unit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.rules.amounts import show

CASES = json.loads((Path(__file__).parents[2] / "webapp" / "src" / "work" / "amounts.json").read_text(encoding="utf-8"))
UNITS = st.sampled_from(["USD", "GBP", "EUR", "CHF", "points", "hours"])
CENTS = st.integers(-(10**12), 10**12)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["shown"])
def test_an_amount_reads_as_on_the_pages(case: dict[str, Any]) -> None:
    assert show(case["cents"], case["unit"]) == case["shown"]


@given(UNITS, CENTS, CENTS)
def test_two_amounts_read_alike_only_if_they_are_the_same(unit: str, one: int, other: int) -> None:
    assert (show(one, unit) == show(other, unit)) == (one == other)
