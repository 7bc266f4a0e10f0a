"""The dataset and its tables as Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pyarrow.parquet as pq

from beat_the_ai.dataset.arrow import GroupedRows, schema
from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format, PartFiles, part_files
from beat_the_ai.rules.protocol import Value

GROUP_ROWS = 2000


@contextmanager
def table(folder: Path, name: str, row_type: type[Value]) -> Iterator[GroupedRows]:
    path, columns = folder / f"{name}.parquet", schema(row_type)
    with replacing(path) as file, pq.ParquetWriter(file, columns, compression="zstd") as writer:
        rows = GroupedRows(path, writer.write_table, columns, GROUP_ROWS)
        yield rows
        rows.end()


def parts(folder: Path, names: Sequence[str], row_type: type[Value]) -> AbstractContextManager[PartFiles]:
    """Open `parquet/<part>.parquet`."""
    return part_files(folder / "parquet", names, row_type, table)


FORMAT = Format(parts, table)
