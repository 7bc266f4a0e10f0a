"""The interface of a common export format: a module with a `FORMAT`, loaded on demand.

Rows come as JSON Lines, which are made once for all formats.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol

from beat_the_ai.errors import UnknownName
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value

# pyarrow reads it once it is imported. Its own pool keeps 20 MB of what it was given back.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


class Rows(Protocol):
    """A file that takes rows, open for writing. `path` is where it lies once it is closed."""

    path: Path

    def write(self, lines: bytes) -> None:
        """Write any number of rows, each a line of JSON, of the model that the file was opened for."""


@dataclass
class PartFiles:
    """A file of rows for each part, open for writing. `others` are written beside them when they are closed."""

    rows: Mapping[str, Rows]
    others: list[Path] = field(default_factory=list)

    @property
    def paths(self) -> list[Path]:
        """Return the paths of all files, once they are closed."""
        return [*(each.path for each in self.rows.values()), *self.others]


Table = Callable[[Path, str, type[Value]], AbstractContextManager[Rows]]


@contextmanager
def part_files(folder: Path, names: Sequence[str], row_type: type[Value], table: Table) -> Iterator[PartFiles]:
    """Return a table of the folder for each part, and nothing beside them."""
    with ExitStack() as opened:
        yield PartFiles({name: opened.enter_context(table(folder, name, row_type)) for name in names})


@dataclass(frozen=True)
class Format:
    """The way to write the dataset and a further table.

    `parts(folder, names, row_type)` and `table(folder, name, row_type)` open files for rows of that model.
    """

    parts: Callable[[Path, Sequence[str], type[Value]], AbstractContextManager[PartFiles]]
    table: Table


COMMON = {"jsonl": "jsonl_files", "parquet": "parquet_files", "hf": "hugging_face_files"}


def formats_of(kind: Kind) -> list[str]:
    """Return the names of the formats that a kind of task is exported in, its own first."""
    return [*kind.dataset.formats, *COMMON]


def common_format(name: str) -> Format:
    """Return the format of that name in `COMMON`."""
    found: Format = import_module(f"beat_the_ai.dataset.{COMMON[name]}").FORMAT
    return found


def check_formats(names: Iterable[str], kinds: Iterable[Kind]) -> None:
    """Raises `UnknownName` for a format that none of the kinds has."""
    known = list(dict.fromkeys(name for kind in kinds for name in formats_of(kind)))
    for name in names:
        if name not in known:
            raise UnknownName("format", name, known)
