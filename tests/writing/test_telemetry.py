"""What a page claims about typing: read, bounded, and never a reason to lose an attempt."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.store import Store, Telemetry
from beat_the_ai.writing.telemetry import read_telemetry
from tests.writing.fakes import new_desk, payload, take_hit

GOOD = {"pastes": 1, "pasted_chars": 12, "keystrokes": 40, "focused_seconds": 9.5, "first_key_seconds": 1.5}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=6),
)


def test_what_the_page_counts_is_read() -> None:
    assert read_telemetry(GOOD) == Telemetry(1, 12, 40, 9.5, 1.5)
    assert read_telemetry({**GOOD, "first_key_seconds": None, "more": 1}) == Telemetry(1, 12, 40, 9.5, None)


@pytest.mark.parametrize("name", ["pastes", "pasted_chars", "keystrokes", "focused_seconds"])
@pytest.mark.parametrize("value", [None, "1", True, math.nan, [], {}])
def test_what_is_no_number_is_left_out(name: str, value: object) -> None:
    assert read_telemetry({**GOOD, name: value}) is None


def test_what_is_out_of_bounds_is_cut_to_them() -> None:
    cut = read_telemetry({**GOOD, "pastes": -5, "pasted_chars": 10**30, "focused_seconds": math.inf})
    assert cut == Telemetry(0, 100_000, 40, 86_400.0, 1.5)


@given(anything)
def test_anything_is_read_or_left_out(given_value: Any) -> None:
    told = read_telemetry(given_value)
    assert told is None or (0 <= told.keystrokes <= 100_000 and 0 <= told.focused_seconds <= 86_400)


@pytest.mark.parametrize(
    ("told", "stored"), [(GOOD, Telemetry(1, 12, 40, 9.5, 1.5)), ({"pastes": "many"}, None), (None, None), ("x", None)]
)
def test_an_attempt_is_kept_with_its_telemetry_or_without(store: Store, told: object, stored: Telemetry | None) -> None:
    assignment = take_hit(store)
    made, state = new_desk(store).submit(assignment, "key", "rome/0", payload(), told)
    assert state.wins == 1
    assert store.attempts.telemetry("pilot").get(made.id) == stored


def test_a_repeat_of_an_attempt_does_not_change_its_telemetry(store: Store) -> None:
    assignment, desk = take_hit(store), new_desk(store)
    made, _ = desk.submit(assignment, "key", "rome/0", payload(), GOOD)
    desk.submit(assignment, "key", "rome/0", payload(), {**GOOD, "keystrokes": 99})
    assert store.attempts.telemetry("pilot")[made.id].keystrokes == 40
