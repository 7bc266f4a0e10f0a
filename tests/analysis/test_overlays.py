"""Plots over each other: datasets are told apart without colour, and nothing is lost at the edges."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from beat_the_ai.analysis.overlays import Dot, dots, lines

NAMES = ("one", "two", "three", "four", "five")


def test_lines_differ_in_pattern_or_dot_whatever_the_colour() -> None:
    drawn = lines({name: {number: 1} for number, name in enumerate(NAMES)}, "Lengths", "words")
    legend = [line for line in ET.fromstring(drawn) if line.tag == "line" and "curve" in line.get("class", "")]
    dashes = [line.get("stroke-dasharray") for line in legend]
    marks = [
        (mark.tag, len(mark.get("points", "").split()))
        for mark in ET.fromstring(drawn)
        if mark.find("title") is not None
    ]
    assert len(dashes) == len(NAMES)
    assert len(set(dashes)) == 4
    assert dashes[0] == dashes[4]
    assert marks[1] != marks[-1]


def test_a_line_goes_through_every_bin_and_dots_stand_where_something_is() -> None:
    drawn = ET.fromstring(lines({"one": {0: 3, 20: 1}, "two": {10: 2}}, "Lengths", "words", width=10))
    first, second = drawn.findall("polyline")
    assert [len(line.get("points", "").split()) for line in (first, second)] == [3, 3]
    titles = [title.text for title in drawn.iter("title")]
    assert titles == [
        "one",
        "one, 0 to 9 words: 3 (75.0%)",
        "one, 20 to 29 words: 1 (25.0%)",
        "two",
        "two, 10 to 19 words: 2 (100.0%)",
    ]


def test_dots_have_intervals_and_none_where_a_dataset_has_no_figure() -> None:
    drawn = dots(
        {"why": [Dot(0.5, 0.4, 0.6, "50%"), None], "how": [None, Dot(0.1, 0.0, 0.2, "10%")]}, ["A", "B"], "Kinds"
    )
    titles = [title.text for title in ET.fromstring(drawn).iter("title")]
    assert titles == ["why, A: 50%", "how, B: 10%"]
    assert len(re.findall(r'class="curve s\d"', drawn)) == 2 + 2  # and the legend


def test_plots_of_nothing_are_empty_axes() -> None:
    for drawn in (dots({}, [], "None"), lines({}, "None", "words"), lines({"one": {}}, "None", "words")):
        assert ET.fromstring(drawn).get("aria-label") == "None"
