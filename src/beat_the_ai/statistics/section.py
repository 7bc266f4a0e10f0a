"""A section of a report: a heading, what it shows, a plot, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Table:
    """Texts; the first column names the rows."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Section:
    """`source` is the place in a paper that it repeats."""

    title: str
    text: str
    table: Table
    plot: Markup | None = None
    source: str = "Not in the paper"
