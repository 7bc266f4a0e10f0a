"""The numbers behind a section's table, so that the sections of several datasets can be set side by side."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure


@dataclass(frozen=True)
class Count:
    """A number of things."""

    name: str
    value: int


@dataclass(frozen=True)
class Mean:
    """The values whose mean and standard deviation are shown, with so many digits; their sums by cluster, if known."""

    name: str
    values: Sequence[float]
    sums: Clustered | None = None
    digits: int = 2


@dataclass(frozen=True)
class Share:
    """A share of `total`; its counts by cluster, if known."""

    name: str
    found: int
    total: int
    counts: Clustered | None = None


@dataclass(frozen=True)
class Rows:
    """Figures by their names; datasets that have a figure under the same name are compared in it."""

    figures: Sequence[Count | Mean | Share | Figure]


@dataclass(frozen=True)
class Distribution:
    """Numbers in `unit`, counted by their whole parts, and the cluster of each."""

    unit: str
    values: Sequence[float]
    clusters: Sequence[Hashable]


@dataclass(frozen=True)
class Ranking:
    """The things in each of many examples, and the cluster of each; the `most` frequent things are shown."""

    things: Sequence[Sequence[str]]
    clusters: Sequence[Hashable]
    most: int


@dataclass(frozen=True)
class Listing:
    """The table's rows are examples: those of other datasets stand below them."""


Measures = Rows | Distribution | Ranking | Listing
