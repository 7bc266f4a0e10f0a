"""The dataset and its tables as Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow.parquet as pq

from beat_the_ai.dataset.arrow import Groups, schema
from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format, PartFiles
from beat_the_ai.rules.protocol import Value

GROUP_ROWS = 5000


class ParquetRows:
    """Rows to a Parquet file that is open for writing."""

    def __init__(self, path: Path, groups: Groups) -> None:
        self.path = path
        self._groups = groups

    def write(self, lines: bytes) -> None:
        self._groups.add(lines)


@contextmanager
def table(folder: Path, name: str, row_type: type[Value]) -> Iterator[ParquetRows]:
    path, columns = folder / f"{name}.parquet", schema(row_type)
    with replacing(path) as file, pq.ParquetWriter(file, columns, compression="zstd") as writer:
        groups = Groups(writer.write_table, columns, GROUP_ROWS)
        yield ParquetRows(path, groups)
        groups.end()


@contextmanager
def part_files(folder: Path, names: Sequence[str], row_type: type[Value]) -> Iterator[PartFiles]:
    """`parquet/<part>.parquet`."""
    with ExitStack() as opened:
        yield PartFiles({name: opened.enter_context(table(folder / "parquet", name, row_type)) for name in names})


FORMAT = Format(part_files, table)
