"""Plots of several datasets over each other: shares of bins as lines, and figures as dots with their intervals.

Datasets differ in colour, in the pattern of the line, and in the shape of the dot, so that nothing hangs on the colour.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from beat_the_ai.analysis.drawings import (
    BAR_LETTER_WIDTH,
    INKS,
    LEGEND_LETTERS,
    ROW_HEIGHT,
    WIDTH,
    Drawing,
    line_style,
    percent,
    round_up,
    shortened,
)

STEP = 12.0  # between the dots of a row
FEWEST_LETTERS, MOST_LETTERS = 8, 28
RADIUS = 3.5
LARGEST_SHARE = 1.0
# Corners of shapes with the radius 1; a circle has none.
SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0.0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    ((0.0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
)


@dataclass(frozen=True)
class Dot:
    """A share of 1 with its interval; `shown` is how it is written."""

    value: float
    low: float
    high: float
    shown: str


def dots(rows: Mapping[str, Sequence[Dot | None]], names: Sequence[str], label: str) -> Markup:
    """Draw a row for each name of `rows` with the dots of the datasets `names`, below each other; None has no dot."""
    letters = min(MOST_LETTERS, max([FEWEST_LETTERS, *map(len, rows)]))
    left, right, top = 12 + BAR_LETTER_WIDTH * letters, WIDTH - 22, 8.0
    height = STEP * len(names) + 10
    bottom = top + height * len(rows)
    drawing = Drawing(bottom + 24 + ROW_HEIGHT * len(names), label)
    highest = max((dot.high for row in rows.values() for dot in row if dot is not None), default=0.0)
    end = min(LARGEST_SHARE, round_up(highest))
    scale = (right - left) / end
    for tick in (0.0, end / 2, end):
        x = left + tick * scale
        drawing.add("line", class_="grid", x1=x, x2=x, y1=top, y2=bottom)
        drawing.add("text", text=percent(tick), x=x, y=bottom + 16, text_anchor="middle")
    for number, (name, row) in enumerate(rows.items()):
        start = top + height * number
        middle = start + height / 2
        drawing.add("text", text=shortened(name, letters), x=left - 8, y=middle + 4, text_anchor="end")
        for place, dot in enumerate(row):
            if dot is not None:
                y = start + STEP * (place + 0.5) + 5
                low, at, high = (left + value * scale for value in (dot.low, dot.value, dot.high))
                drawing.add("line", class_=f"curve s{place % INKS}", x1=low, x2=high, y1=y, y2=y)
                _dot(drawing, at, y, place, f"{name}, {names[place]}: {dot.shown}")
    for place, name in enumerate(names):
        _legend(drawing, bottom + 24 + ROW_HEIGHT * (place + 0.5), place, name, dashed=False)
    return drawing.markup()


def lines(bins: Mapping[str, Mapping[int, int]], label: str, unit: str, *, width: int = 1) -> Markup:
    """Draw each dataset's shares of bins `[start, start + width)`, given by their starts; missing bins are 0."""
    left, right, top, bottom = 40.0, WIDTH - 8, 12.0, 190.0
    drawing = Drawing(bottom + 48 + ROW_HEIGHT * len(bins), label)
    every = [start for counts in bins.values() for start in counts] or [0]
    starts = range(min(every), max(every) + 1, width)
    totals = {name: sum(counts.values()) or 1 for name, counts in bins.items()}
    highest = max((count / totals[name] for name, counts in bins.items() for count in counts.values()), default=0.0)
    end = round_up(highest)
    step = (right - left) / len(starts)
    for tick in (0.0, end / 2, end):
        y = bottom - (bottom - top) * tick / end
        drawing.add("line", class_="grid", x1=left, x2=right, y1=y, y2=y)
        drawing.add("text", text=percent(tick), x=left - 4, y=y + 4, text_anchor="end")
    for number in range(0, len(starts), max(1, math.ceil(len(starts) / 10))):
        x = left + step * (number + 0.5)
        drawing.add("text", text=f"{starts[number]}", x=x, y=bottom + 16, text_anchor="middle")
    drawing.add("text", text=unit, x=(left + right) / 2, y=bottom + 36, text_anchor="middle")
    for place, (name, counts) in enumerate(bins.items()):
        points = [
            (left + step * (number + 0.5), bottom - (bottom - top) * counts.get(start, 0) / totals[name] / end)
            for number, start in enumerate(starts)
        ]
        drawing.add(
            "polyline", title=name, points=" ".join(f"{x:.2f},{y:.2f}" for x, y in points), **line_style(place, place)
        )
        for (x, y), start in zip(points, starts, strict=True):
            if count := counts.get(start, 0):
                within = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
                _dot(drawing, x, y, place, f"{name}, {within} {unit}: {count:,} ({count / totals[name]:.1%})")
        _legend(drawing, bottom + 48 + ROW_HEIGHT * (place + 0.5), place, name)
    return drawing.markup()


def _dot(drawing: Drawing, x: float, y: float, place: int, title: str = "") -> None:
    corners, colour = SHAPES[place % len(SHAPES)], f"f{place % INKS}"
    if not corners:
        drawing.add("circle", title=title, class_=colour, cx=x, cy=y, r=RADIUS)
        return
    points = " ".join(f"{x + RADIUS * across:.2f},{y + RADIUS * down:.2f}" for across, down in corners)
    drawing.add("polygon", title=title, class_=colour, points=points)


def _legend(drawing: Drawing, y: float, place: int, name: str, *, dashed: bool = True) -> None:
    style = line_style(place, place if dashed else 0)
    drawing.add("line", x1=12.0, x2=52.0, y1=y, y2=y, **style)
    _dot(drawing, 32.0, y, place)
    drawing.add("text", text=shortened(name, LEGEND_LETTERS), x=60.0, y=y + 4)
