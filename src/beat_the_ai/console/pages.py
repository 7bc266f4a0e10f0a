"""Long lists in pages of a hundred."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Generic, NamedTuple, TypeVar

ROWS = 100

RowT = TypeVar("RowT")


class Page(NamedTuple, Generic[RowT]):
    """The rows of a page, its number counted from 1, and how many pages and rows there are."""

    rows: Sequence[RowT]
    page: int
    pages: int
    all: int

    @property
    def place(self) -> dict[str, int]:
        """Return all but the rows, as views have it."""
        return {"page": self.page, "pages": self.pages, "all": self.all}


def page_of(rows: Sequence[RowT], asked: int | None) -> Page[RowT]:
    """Return the page that is asked for: the first one for None, the last one for a number that is too high."""
    pages = max(1, ceil(len(rows) / ROWS))
    page = min(max(asked or 1, 1), pages)
    return Page(rows[(page - 1) * ROWS : page * ROWS], page, pages, len(rows))
