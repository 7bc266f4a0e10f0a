"""Cells with stretches that stand out: on a page, in JSON and on a terminal."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from beat_the_ai.analysis.marked import Marked, Stretch, marked

TEXTS = st.text(alphabet="ab<&\"' ", max_size=12)
PLACES = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=5)


def test_stretches_have_elements_on_a_page_and_signs_elsewhere() -> None:
    parts = [("a ", Stretch.PLAIN), ("b", Stretch.DELETED), ("<i>", Stretch.INSERTED), ("&", Stretch.PLAIN)]
    cell = Marked([*parts, ("", Stretch.MATCH)])
    assert json.loads(json.dumps([cell])) == ["a [-b-]{+<i>+}&"]
    page = Environment(autoescape=True).from_string("{{ cell }}").render(cell=cell)
    assert page == "a <del>b</del><ins>&lt;i&gt;</ins>&amp;"


@given(TEXTS, PLACES)
def test_matches_change_no_text_and_let_none_through(text: str, places: list[tuple[int, int]]) -> None:
    """Places may overlap, be empty, or lie beyond the end."""
    page = marked(text, places).__html__()
    assert Environment(autoescape=True).from_string("{{ text }}").render(text=text) == page.replace(
        "<mark>", ""
    ).replace("</mark>", "")
    inside = {place for start, end in places for place in range(start, min(end, len(text)))}
    assert (page.count("<mark>") > 0) is bool(inside)
    assert marked(text, places).replace("[", "").replace("]", "") == text


def test_a_match_within_another_is_marked_once() -> None:
    assert marked("abcdef", [(1, 4), (2, 3), (3, 5)]) == "a[bcd][e]f"
