from __future__ import annotations

from pathlib import Path

import pytest

from tests.slow import PLACES, SLOW, TESTS, place_of


def test_every_slow_test_is_there_and_named_once() -> None:
    assert [name for name in SLOW if not (TESTS / name).exists()] == []
    assert len(PLACES) == len(SLOW)


def test_a_file_is_slow_by_its_own_name_or_by_its_folder() -> None:
    assert place_of(TESTS / SLOW[0]) == 0
    assert place_of(TESTS / "e2e" / "test_writing.py") == SLOW.index("e2e")
    assert place_of(Path(__file__)) is None


def test_the_marker_is_set_before_tests_are_chosen_by_it(request: pytest.FixtureRequest) -> None:
    marked = {item.path for item in request.session.items if item.get_closest_marker("slow")}
    assert {place_of(path) is None for path in marked} <= {False}
    assert request.node.get_closest_marker("slow") is None
