"""Tables beside the dataset and that of attempts: drafts, votes, what newcomers wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.dataset.format import Format
from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store.batches import batched

BATCH_ROWS = 1000


@dataclass(frozen=True)
class FurtherTable:
    """`about` says in a data card what `rows` are; these are read once, as they are written."""

    name: str
    row_type: type[Value]
    rows: Iterator[Value]
    about: str = ""


@dataclass(frozen=True)
class WrittenTable:
    """`paths` are its files, one of each format."""

    table: FurtherTable
    paths: list[Path]
    is_empty: bool


def write_further(table: FurtherTable, folder: Path, formats: Sequence[Format]) -> WrittenTable:
    written = 0
    with ExitStack() as opened:
        files = [opened.enter_context(each.table(folder, table.name, table.row_type)) for each in formats]
        for batch in batched(table.rows, BATCH_ROWS) if files else ():
            lines, written = json_lines(batch), written + len(batch)
            for file in files:
                file.write(lines)
    return WrittenTable(table, [file.path for file in files], is_empty=not written)
