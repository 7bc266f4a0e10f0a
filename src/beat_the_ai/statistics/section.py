"""A section of a report: a heading, what it shows, a plot, and the same as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from beat_the_ai.statistics.measures import Measures


@dataclass(frozen=True)
class Table:
    """Texts; the first column names the rows."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Section:
    """`source` is the place in a paper that it repeats.

    `headline` is the figure to read first, shown beside the title in the contents; empty where no one figure is.
    `measures` returns the table's numbers, which are counted only where sections of several datasets are compared.
    """

    title: str
    text: str
    table: Table
    plot: Markup | None = None
    source: str = "Not in the paper"
    measures: Callable[[], Measures] | None = None
    headline: str = ""
