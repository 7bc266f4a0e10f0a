"""Long work in parts, so that others write in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

BATCH = 200  # works of a transaction
ROWS_AT_ONCE = 1000  # of what is read as it is taken


def batched(things: Iterable[T], size: int) -> Iterator[list[T]]:
    source = iter(things)
    while batch := list(islice(source, size)):
        yield batch
