"""What a format of export is: a module with a `FORMAT`, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from beat_the_ai.dataset.records import Example
from beat_the_ai.errors import UnknownName

Parts = Mapping[str, Sequence[Example]]


class Rows(Protocol):
    """A file that takes rows, open for writing. `path` is where it lies once it is closed."""

    path: Path

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None: ...


@dataclass(frozen=True)
class Format:
    """`write_examples(folder, parts)` returns what it wrote; a format may have a file of attempts as well."""

    write_examples: Callable[[Path, Parts], list[Path]]
    attempts_table: Callable[[Path], AbstractContextManager[Rows]] | None = None


FORMATS = {
    "squad": "squad_files",
    "jsonl": "jsonl_files",
    "parquet": "parquet_files",
    "hf": "hugging_face_files",
}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    found: Format = import_module(f"beat_the_ai.dataset.{FORMATS[name]}").FORMAT
    return found
