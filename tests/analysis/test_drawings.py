"""The geometry of plots, read back from their SVG."""

from __future__ import annotations

import math
import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.analysis.cells import share_bar
from beat_the_ai.analysis.drawings import Bar, Course, bars, curves, histogram, lines, panels, sunburst

PATHS = st.dictionaries(st.lists(st.sampled_from("abc"), max_size=4).map(tuple), st.integers(1, 50), max_size=12)


def shapes(svg: str, tag: str, kind: str) -> list[ET.Element]:
    return [shape for shape in ET.fromstring(svg).iter(tag) if kind in shape.get("class", "").split()]


def title(shape: ET.Element) -> str:
    return shape.findtext("title") or ""


def test_bars_are_as_long_as_their_values_and_lines_as_wide_as_their_intervals() -> None:
    svg = bars([Bar("a", 0.5, 0.25, 1.0, "50%"), Bar("b", 0.25, 0.25, 0.25, "25%")], "Plot")
    long, short = (float(shape.get("width", "")) for shape in shapes(svg, "rect", "bar"))
    assert long == pytest.approx(2 * short)
    line = shapes(svg, "line", "whisker")[0]
    assert float(line.get("x2", "")) - float(line.get("x1", "")) == pytest.approx(1.5 * long)
    assert ET.fromstring(svg).get("aria-label") == "Plot"


@pytest.mark.parametrize("label", ["a", "R1, encyclopedia, unverified", "R1, exclusive writers, unverified"])
def test_bars_leave_room_for_what_they_are_called(label: str) -> None:
    svg = bars([Bar(label, 1.0, 0.5, 1.0, "100%"), Bar("x" * 60, 0.5, 0.5, 0.5, "50%")], "Plot", largest=1.0)
    name, shown, *_ = (shape.text for shape in ET.fromstring(svg).iter("text"))
    assert (name, shown) == (label, "100%")
    bar = shapes(svg, "rect", "bar")[0]
    assert float(bar.get("x", "")) + float(bar.get("width", "")) == pytest.approx(344)
    assert float(bar.get("width", "")) > 90


def test_a_histogram_has_a_bar_for_every_bin_and_heights_in_proportion() -> None:
    svg = histogram({2: 10, 6: 30, 4: 0}, "Plot", "words", width=2)
    made = shapes(svg, "rect", "bar")
    assert [title(shape) for shape in made] == [
        "2 to 3 words: 10 (25.0%)",
        "4 to 5 words: 0 (0.0%)",
        "6 to 7 words: 30 (75.0%)",
    ]
    heights = [float(shape.get("height", "")) for shape in made]
    assert heights[2] == pytest.approx(3 * heights[0])
    assert heights[1] == 0
    assert "100%" in svg


def test_curves_go_through_their_points_and_have_names() -> None:
    svg = curves({"people": [(0.0, 0.0), (1.0, 0.5)], "models": []}, "Plot", "of the words")
    people, models = shapes(svg, "polyline", "curve")
    (x0, y0), (x1, y1) = (map(float, place.split(",")) for place in people.get("points", "").split())
    grid = shapes(svg, "line", "grid")
    left, right = (float(grid[0].get(name, "")) for name in ("x1", "x2"))
    low, middle = (float(grid[at].get("y1", "")) for at in (0, 2))
    assert (x0, x1, y0, y1) == pytest.approx((left, right, low, middle))
    assert (title(people), title(models), models.get("points")) == ("people", "models", "")
    assert (people.get("stroke-dasharray"), models.get("stroke-dasharray")) == (None, "6 4")


def test_a_line_is_broken_where_nothing_is_known() -> None:
    svg = lines({"length": [10.0, 20.0, 40.0], "buzz": [None, 5.0, None]}, "Plot", "drafts")
    places = [str(line.get("points")).split() for line in shapes(svg, "polyline", "curve")]
    assert [len(each) for each in places] == [3, 1]
    whole = [tuple(map(float, place.split(","))) for place in places[0]]
    assert [x for x, _ in whole] == [40, 210, 380]
    bottom = whole[0][1] + (whole[0][1] - whole[1][1])  # 10 is as far above 0 as 20 is above 10
    assert bottom - whole[2][1] == pytest.approx(4 * (bottom - whole[0][1]))
    [dot] = shapes(svg, "circle", "f1")
    assert (float(dot.get("cx", "")), float(dot.get("cy", ""))) == tuple(map(float, places[1][0].split(",")))
    assert lines({}, "Plot", "drafts")


def test_panels_stand_below_each_other_and_a_course_looks_the_same_in_all() -> None:
    one = Course("one", [(0.0, 0.0, 0.0, 0.0), (1.0, 0.5, 0.25, 1.0)])
    other = Course("other", [(0.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0)])
    svg = panels({"first": [one, other], "second": [other]}, "Plot", "of the words")
    lines = shapes(svg, "polyline", "curve")
    assert [title(line) for line in lines] == ["first: one", "first: other", "second: other"]
    looks = [(line.get("class"), line.get("stroke-dasharray")) for line in lines]
    assert looks[0] != looks[1] == looks[2]
    band = [
        tuple(map(float, place.split(","))) for place in str(shapes(svg, "polygon", "band")[0].get("points")).split()
    ]
    end = tuple(map(float, str(lines[0].get("points")).split()[-1].split(",")))
    (_, top), (_, bottom) = band[1], band[2]
    assert (bottom - end[1]) == pytest.approx((end[1] - top) / 2)  # 0.5 to 0.25, and to 1
    height = float(str(ET.fromstring(svg).get("viewBox")).split()[-1])
    assert max(float(text.get("y", "")) for text in ET.fromstring(svg).iter("text")) <= height
    names = [text.text for text in ET.fromstring(svg).iter("text")]
    assert [names.count(name) for name in ("first", "second", "one", "other")] == [1, 1, 1, 1]


def test_plots_of_nothing_are_empty() -> None:
    assert not shapes(bars([], "Plot"), "rect", "bar")
    assert len(shapes(histogram({}, "Plot", "words"), "rect", "bar")) == 1
    assert not shapes(sunburst({}, "Plot"), "path", "arc")


@given(PATHS)
def test_a_sunburst_has_an_arc_for_every_beginning_that_is_frequent_enough(paths: dict[tuple[str, ...], int]) -> None:
    total = sum(paths.values())
    expected: Counter[str] = Counter()
    for path, count in paths.items():
        for length in range(1, min(len(path), 3) + 1):
            expected[" ".join(path[:length])] += count
    arcs = [re.fullmatch(r"(.*): (\d+) \(.*", title(arc)) for arc in shapes(sunburst(paths, "Plot"), "path", "arc")]
    drawn = {found[1]: int(found[2]) for found in arcs if found}
    assert len(drawn) == len(arcs)
    assert drawn == {name: count for name, count in expected.items() if count >= 0.004 * total}


def test_an_arc_spans_its_share_of_the_circle() -> None:
    [whole] = [arc for arc in shapes(sunburst({("a",): 1, ("b",): 3}, "Plot"), "path", "arc") if title(arc)[0] == "b"]
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", whole.get("d", ""))]
    begin, end = numbers[:2], numbers[4:6]
    assert begin == pytest.approx([200.0, 52.0 - 0.0], abs=60)  # at the top
    angle = math.degrees(math.atan2(end[0] - 200, 200 - end[1])) % 360
    assert angle == pytest.approx(270, abs=0.1)  # three quarters, clockwise


def test_text_is_escaped() -> None:
    svg = bars([Bar("</svg><script>alert(1)</script>", 1, 1, 1, '"><b>')], "<i>")
    assert "<script" not in svg
    assert "<b>" not in svg
    assert "<i>" not in svg


def test_a_share_of_nothing_has_a_label_and_no_bar() -> None:
    svg = bars([share_bar("dev", 0, 0), share_bar("test", 0, 3)], "Plot")
    assert (svg.count('class="bar"'), svg.count("dev"), "0.0%" in svg) == (1, 1, True)
