"""Plots as inline SVG: bars, histograms, curves and sunbursts, for a page that loads nothing from anywhere.

They are drawn here because a page needs four kinds of plot that follow its colours (dark mode) and stay legible on a
phone; a plotting library would add a hundred megabytes to every installation. The unit is 1/400 of the plot's width.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree as ET

from markupsafe import Markup

from beat_the_ai.statistics.figure import decimals

WIDTH = 400.0
ROW_HEIGHT = 24.0
RINGS = 3
HUES = 10  # classes h0 to h9 of the page's style
INKS = 6  # classes s0 to s5 of lines, f0 to f5 of the bands around them
PANEL_HEIGHT = 226.0
LEGEND_LETTERS = 43
DASHES = ("", "6 4", "2 3", "9 3 2 3")
SMALLEST_ARC = 0.004  # of the circle; the paper leaves smaller ones blank too
SMALLEST_LABELLED_ARC = 0.025
LETTER_WIDTH = 6.0
BAR_LETTER_WIDTH = 7.1
FEWEST_LETTERS, MOST_LETTERS = 20, 33  # for which a plot of bars has room beside them


@dataclass(frozen=True)
class Bar:
    """A value with its interval; `shown` is how the value is written. None, of nothing, has a label and no bar."""

    label: str
    value: float | None
    low: float
    high: float
    shown: str


@dataclass(frozen=True)
class Range:
    """A value, perhaps below 0, with its interval."""

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Course:
    """A line through `(x, value, low, high)`, all shares of 1, in the band of its intervals."""

    name: str
    points: Sequence[tuple[float, float, float, float]]


class Drawing:
    """An SVG element with shapes; `label` is what a screen reader says of it."""

    def __init__(self, height: float, label: str) -> None:
        view = f"0 0 {WIDTH:g} {height:g}"
        self._root = ET.Element("svg", {"viewBox": view, "role": "img", "aria-label": label})

    def add(self, tag: str, *, title: str = "", text: str = "", **attributes: float | str) -> None:
        given = {name.rstrip("_").replace("_", "-"): _written(value) for name, value in attributes.items()}
        shape = ET.SubElement(self._root, tag, given)
        shape.text = text
        if title:
            ET.SubElement(shape, "title").text = title

    def markup(self) -> Markup:
        return Markup(ET.tostring(self._root, encoding="unicode"))  # noqa: S704  # ElementTree has escaped it


def _written(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def bars(rows: Sequence[Bar], label: str, *, largest: float | None = None) -> Markup:
    """Draw horizontal bars with their intervals; `largest` is the end of the axis where the data does not decide."""
    letters = min(MOST_LETTERS, max([FEWEST_LETTERS, *(len(row.label) for row in rows)]))
    left, right = 12 + BAR_LETTER_WIDTH * letters, 344.0
    drawing = Drawing(ROW_HEIGHT * len(rows) + 8, label)
    end = largest or max((row.high for row in rows), default=0.0) or 1.0
    scale = (right - left) / end
    for number, row in enumerate(rows):
        top = ROW_HEIGHT * number + 4
        middle = top + ROW_HEIGHT / 2
        drawing.add("text", text=shortened(row.label, letters), x=left - 6, y=middle + 4, text_anchor="end")
        if row.value is not None:
            title, width = f"{row.label}: {row.shown}", row.value * scale
            drawing.add("rect", title=title, class_="bar", x=left, y=top + 4, width=width, height=ROW_HEIGHT - 8)
            low, high = left + row.low * scale, left + row.high * scale
            drawing.add("line", class_="whisker", x1=low, x2=high, y1=middle, y2=middle)
        drawing.add("text", text=row.shown, x=WIDTH - 2, y=middle + 4, text_anchor="end")
    return drawing.markup()


def ranges(rows: Sequence[Range], label: str) -> Markup:
    """Draw intervals with their values as dots, on an axis that has 0."""
    letters = min(MOST_LETTERS, max([FEWEST_LETTERS, *(len(row.label) for row in rows)]))
    left, right = 12 + BAR_LETTER_WIDTH * letters, 344.0
    low, high = min([0.0, *(row.low for row in rows)]), max([0.0, *(row.high for row in rows)])
    scale = (right - left) / ((high - low) or 1.0)
    drawing = Drawing(ROW_HEIGHT * len(rows) + 8, label)
    zero = left - low * scale
    drawing.add("line", class_="grid", x1=zero, x2=zero, y1=0.0, y2=ROW_HEIGHT * len(rows) + 8)
    for number, row in enumerate(rows):
        middle = ROW_HEIGHT * (number + 0.5) + 4
        shown = decimals(2)(row.value)
        drawing.add("text", text=shortened(row.label, letters), x=left - 6, y=middle + 4, text_anchor="end")
        start, at, end = (left + (place - low) * scale for place in (row.low, row.value, row.high))
        drawing.add("line", class_="whisker", x1=start, x2=end, y1=middle, y2=middle)
        drawing.add("circle", title=f"{row.label}: {shown}", class_="bar", cx=at, cy=middle, r=4.0)
        drawing.add("text", text=shown, x=WIDTH - 2, y=middle + 4, text_anchor="end")
    return drawing.markup()


def shortened(label: str, letters: int) -> str:
    return label if len(label) <= letters else label[: letters - 1] + "…"


def histogram(counts: Mapping[int, int], label: str, unit: str, *, width: int = 1) -> Markup:
    """Draw the shares of bins `[start, start + width)`, given by their starts; missing bins between them are 0."""
    left, right, top, bottom = 40.0, WIDTH - 8, 12.0, 170.0
    drawing = Drawing(bottom + 44, label)
    starts = range(min(counts), max(counts) + 1, width) if counts else range(1)
    total = sum(counts.values()) or 1
    end = round_up(max(counts.values(), default=0) / total)
    step = (right - left) / len(starts)
    for tick in (0.0, end / 2, end):
        y = bottom - (bottom - top) * tick / end
        drawing.add("line", class_="grid", x1=left, x2=right, y1=y, y2=y)
        drawing.add("text", text=percent(tick), x=left - 4, y=y + 4, text_anchor="end")
    every = max(1, math.ceil(len(starts) / 10))
    for number, start in enumerate(starts):
        share = counts.get(start, 0) / total
        height = (bottom - top) * share / end
        x = left + number * step
        name = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        title = f"{name} {unit}: {counts.get(start, 0):,} ({share:.1%})"
        drawing.add("rect", title=title, class_="bar", x=x, y=bottom - height, width=max(step - 1, 0.5), height=height)
        if number % every == 0:
            drawing.add("text", text=f"{start}", x=x + step / 2, y=bottom + 16, text_anchor="middle")
    drawing.add("text", text=unit, x=(left + right) / 2, y=bottom + 36, text_anchor="middle")
    return drawing.markup()


def curves(series: Mapping[str, Sequence[tuple[float, float]]], label: str, unit: str) -> Markup:
    """Draw a line for each name through its points, shares of 1 on both axes; every second one is dashed."""
    plane = _Plane(12.0)
    drawing = Drawing(plane.end + ROW_HEIGHT * len(series), label)
    plane.axes(drawing, unit)
    for number, (name, points) in enumerate(series.items()):
        style = line_style(number // 2, number % 2)
        drawing.add("polyline", title=name, points=plane.places(points), **style)
        _legend(drawing, plane.end + ROW_HEIGHT * (number + 0.5), name, style)
    return drawing.markup()


def lines(series: Mapping[str, Sequence[float | None]], label: str, unit: str) -> Markup:
    """Draw a line for each name through values from 0 on, at equal distances; it is broken where a value is None."""
    plane = _Plane(12.0)
    known = [value for values in series.values() for value in values if value is not None]
    steps = max([len(values) - 1 for values in series.values()], default=0) or 1
    end = round_up(max(known, default=0.0))
    drawing = Drawing(plane.end + ROW_HEIGHT * len(series), label)
    for tick in (0.0, 0.5, 1.0):
        _, y = plane.at(0.0, tick)
        drawing.add("line", class_="grid", x1=plane.left, x2=plane.right, y1=y, y2=y)
        drawing.add("text", text=f"{end * tick:g}", x=plane.left - 4, y=y + 4, text_anchor="end")
    drawing.add("text", text=unit, x=(plane.left + plane.right) / 2, y=plane.bottom + 16, text_anchor="middle")
    for number, (name, values) in enumerate(series.items()):
        style = line_style(number, number)
        for stretch in _stretches(values):
            points = [(place / steps, value / end) for place, value in stretch]
            drawing.add("polyline", title=name, points=plane.places(points), **style)
            for point in points if len(points) == 1 else ():
                x, y = plane.at(*point)
                drawing.add("circle", title=name, class_=f"f{number % INKS}", cx=x, cy=y, r=3.0)
        _legend(drawing, plane.bottom + 24 + ROW_HEIGHT * (number + 0.5), name, style)
    return drawing.markup()


def _stretches(values: Sequence[float | None]) -> Iterator[list[tuple[int, float]]]:
    """Yield the values between those that are None, each with its place."""
    for is_known, of in groupby(enumerate(values), key=lambda pair: pair[1] is not None):
        if is_known:
            yield [(place, value) for place, value in of if value is not None]


def panels(courses: Mapping[str, Sequence[Course]], label: str, unit: str) -> Markup:
    """Draw a plot for each name, one below the other on the same axes. A course looks the same in all, by its name."""
    names = list(dict.fromkeys(course.name for of in courses.values() for course in of))
    styles = {name: line_style(number, number) for number, name in enumerate(names)}
    planes = {name: _Plane(30.0 + number * PANEL_HEIGHT) for number, name in enumerate(courses)}
    end = max([plane.end for plane in planes.values()], default=0.0)
    drawing = Drawing(end + ROW_HEIGHT * len(names), label)
    for name, plane in planes.items():
        drawing.add("text", text=name, class_="panel", x=plane.left, y=plane.top - 12)
        plane.axes(drawing, unit)
        for course in courses[name]:
            number = names.index(course.name)
            band = [(x, high) for x, _, _, high in course.points] + [(x, low) for x, _, low, _ in course.points][::-1]
            drawing.add("polygon", class_=f"band f{number % INKS}", points=plane.places(band))
            line = plane.places([(x, value) for x, value, *_ in course.points])
            drawing.add("polyline", title=f"{name}: {course.name}", points=line, **styles[course.name])
    for number, name in enumerate(names):
        _legend(drawing, end + ROW_HEIGHT * (number + 0.5), name, styles[name])
    return drawing.markup()


@dataclass(frozen=True)
class _Plane:
    """The place of a plot of shares by shares within a drawing, from `top` down."""

    top: float
    left: float = 40.0
    right: float = WIDTH - 20

    @property
    def bottom(self) -> float:
        return self.top + 158

    @property
    def end(self) -> float:
        """Return where it ends with what is written below the axis."""
        return self.bottom + 44

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.left + (self.right - self.left) * x, self.bottom - (self.bottom - self.top) * y

    def places(self, points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{x:.2f},{y:.2f}" for x, y in (self.at(*point) for point in points))

    def axes(self, drawing: Drawing, unit: str) -> None:
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
            x, y = self.at(tick, tick)
            drawing.add("line", class_="grid", x1=self.left, x2=self.right, y1=y, y2=y)
            drawing.add("text", text=percent(tick), x=self.left - 4, y=y + 4, text_anchor="end")
            drawing.add("text", text=percent(tick), x=x, y=self.bottom + 16, text_anchor="middle")
        drawing.add("text", text=unit, x=(self.left + self.right) / 2, y=self.bottom + 36, text_anchor="middle")


def line_style(ink: int, dash: int) -> dict[str, str]:
    """Return the attributes of a line, by the numbers of its colour and its pattern."""
    dashed = DASHES[dash % len(DASHES)]
    return {"class_": f"curve s{ink % INKS}", **({"stroke_dasharray": dashed} if dashed else {})}


def _legend(drawing: Drawing, y: float, name: str, style: Mapping[str, str]) -> None:
    drawing.add("line", x1=40.0, x2=80.0, y1=y, y2=y, **style)
    drawing.add("text", text=shortened(name, LEGEND_LETTERS), x=88.0, y=y + 4)


def percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def round_up(share: float) -> float:
    """Return the next of 1, 2 or 5 times a power of ten."""
    if share <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(share))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= share - 1e-12)


def sunburst(paths: Mapping[tuple[str, ...], int], label: str) -> Markup:
    """Draw a ring for each of the first three elements of the paths; an arc is as wide as its share of the paths."""
    drawing = Drawing(WIDTH, label)
    total = sum(paths.values())
    _ring(drawing, paths, total, depth=0, start=0, hue=None)
    return drawing.markup()


def _ring(
    drawing: Drawing,
    paths: Mapping[tuple[str, ...], int],
    total: int,
    *,
    depth: int,
    start: int,
    hue: int | None,
) -> None:
    """Return the arcs of one ring that continue what `paths` have in common, and within each of them the next ring."""
    branches: dict[str, dict[tuple[str, ...], int]] = {}
    for path, count in paths.items():
        if len(path) > depth:
            branches.setdefault(path[depth], {})[path] = count
    ranked = sorted(branches.items(), key=lambda branch: (-sum(branch[1].values()), branch[0]))
    for number, (_, below) in enumerate(ranked):
        count = sum(below.values())
        colour = number % HUES if hue is None else hue
        if count >= SMALLEST_ARC * total:
            path = next(iter(below))[: depth + 1]
            _arc(drawing, path, start / total, count / total, count, depth, colour)
            if depth + 1 < RINGS:
                _ring(drawing, below, total, depth=depth + 1, start=start, hue=colour)
        start += count


def _arc(drawing: Drawing, path: tuple[str, ...], start: float, share: float, count: int, depth: int, hue: int) -> None:
    """Return a piece of a ring from `start`, both in turns, clockwise from the top."""
    hole = 40.0
    thickness = (WIDTH / 2 - 4 - hole) / RINGS
    inner, outer = hole + depth * thickness, hole + (depth + 1) * thickness
    share = min(share, 0.99999)  # a whole turn would begin where it ends, and vanish
    large = int(share > 0.5)
    (x0, y0), (x1, y1) = _point(outer, start), _point(outer, start + share)
    (x2, y2), (x3, y3) = _point(inner, start + share), _point(inner, start)
    outline = (
        f"M{x0:.2f} {y0:.2f}A{outer:.2f} {outer:.2f} 0 {large} 1 {x1:.2f} {y1:.2f}"
        f"L{x2:.2f} {y2:.2f}A{inner:.2f} {inner:.2f} 0 {large} 0 {x3:.2f} {y3:.2f}Z"
    )
    drawing.add("path", title=f"{' '.join(path)}: {count:,} ({share:.1%})", class_=f"arc h{hue}", d=outline)
    word = path[-1]
    if share >= SMALLEST_LABELLED_ARC and len(word) * LETTER_WIDTH < thickness:
        turn = start + share / 2
        x, y = _point((inner + outer) / 2, turn)
        angle = turn * 360 - 90 if turn < 0.5 else turn * 360 + 90
        drawing.add(
            "text", text=word, x=x, y=y + 4, text_anchor="middle", transform=f"rotate({angle:.2f} {x:.2f} {y:.2f})"
        )


def _point(radius: float, turn: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn
    return WIDTH / 2 + radius * math.sin(angle), WIDTH / 2 - radius * math.cos(angle)
