"""What a format of export is: a module with a `FORMAT`, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from beat_the_ai.errors import UnknownName
from beat_the_ai.rules.dataset import Parts
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value


class Rows(Protocol):
    """A file that takes rows, open for writing. `path` is where it lies once it is closed."""

    path: Path

    def write(self, rows: Sequence[Value]) -> None: ...


@dataclass(frozen=True)
class Format:
    """`write_examples(folder, parts, kind)` returns what it wrote; a format may have further tables as well.

    `table(folder, name, row_type)` takes rows of that model.
    """

    write_examples: Callable[[Path, Parts, Kind], list[Path]]
    table: Callable[[Path, str, type[Value]], AbstractContextManager[Rows]] | None = None


COMMON = {"jsonl": "jsonl_files", "parquet": "parquet_files", "hf": "hugging_face_files"}


def formats_of(kind: Kind) -> list[str]:
    """The names of the formats that a kind of task is exported in, its own first."""
    return [*kind.dataset.formats, *COMMON]


def format_named(name: str, kind: Kind) -> Format:
    """Raises `UnknownName`."""
    if name in kind.dataset.formats:
        write = kind.dataset.formats[name]
        return Format(lambda folder, parts, _kind: write(folder, parts))
    if name not in COMMON:
        raise UnknownName("format", name, formats_of(kind))
    found: Format = import_module(f"beat_the_ai.dataset.{COMMON[name]}").FORMAT
    return found


def check_formats(names: Iterable[str], kinds: Iterable[Kind]) -> None:
    """Raises `UnknownName` for a format that none of the kinds has."""
    known = list(dict.fromkeys(name for kind in kinds for name in formats_of(kind)))
    for name in names:
        if name not in known:
            raise UnknownName("format", name, known)
