"""Published figures by paper, table, row and column, from `published/PAPER.yaml`.

A file has only what our copies of the papers have; `lacking` says what a copy lost of a table. A table of somebody
else's paper is a file of that shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, model_validator

from beat_the_ai.errors import UnknownName
from beat_the_ai.files.data_file import find_data_file, read_data_file
from beat_the_ai.rules.protocol import Value

FOLDER = Path(__file__).parent
PLACE = "published figure"


@dataclass(frozen=True)
class PublishedFigure:
    """One number of a table, in the table's unit, whole where the paper has no decimals.

    `deviation` is over seeds, where the paper has one.
    """

    row: tuple[str, ...]
    column: str
    value: int | float
    deviation: float | None = None


class Row(Value):
    """`of` names the row, a name for each of the table's `rows_by`. A figure is a value, or a mean with a deviation."""

    of: tuple[str, ...]
    figures: tuple[int | float | tuple[float, float] | None, ...]


class PublishedTable(Value):
    """A table of a paper, or figures of its text. `seeds` is how many runs a mean is over.

    Figures that are `derived` are quotients of published ones, not in the paper as they stand.
    """

    title: str
    section: str
    unit: str = ""
    seeds: int | None = None
    lacking: str = ""
    derived: bool = False
    rows_by: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_whole(self) -> PublishedTable:
        for row in self.rows:
            if len(row.of) != len(self.rows_by) or len(row.figures) != len(self.columns):
                raise ValueError(
                    f"row {', '.join(row.of)} has {len(row.of)} names and {len(row.figures)} figures; "
                    f"{len(self.rows_by)} and {len(self.columns)} are needed"
                )
        return self

    def figures(self) -> Iterator[PublishedFigure]:
        """Yield the figures row by row; a place that is empty in the paper has none."""
        for row in self.rows:
            for column, figure in zip(self.columns, row.figures, strict=True):
                if isinstance(figure, tuple):
                    yield PublishedFigure(row.of, column, *figure)
                elif figure is not None:
                    yield PublishedFigure(row.of, column, figure)

    def figure(self, column: str, *row: str) -> PublishedFigure | None:
        """Return the figure of that row and column; None where the paper, or our copy of it, has none."""
        return next((one for one in self.figures() if (one.column, one.row) == (column, row)), None)


class Publication(Value):
    """A paper and its figures. `source` is where the paper can be read."""

    paper: str
    source: str
    lacking: str = ""
    tables: dict[str, PublishedTable]

    def table(self, name: str) -> PublishedTable:
        """Raise `UnknownName` that lists the tables."""
        if name not in self.tables:
            raise UnknownName("published table", name, self.tables)
        return self.tables[name]


def published(name: str) -> Publication:
    """Return the figures of a paper, such as `bartolo-2020`. Raise `UnknownName`, or `InvalidInput` for the file."""
    path = find_data_file(name, FOLDER, "paper")
    return read_data_file(path, Publication, PLACE)


def publication_names() -> list[str]:
    """Return the papers whose figures are here."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))
