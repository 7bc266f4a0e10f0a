"""The dataset and the table of attempts as Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from beat_the_ai.dataset.arrow import arrow_table, schema
from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format
from beat_the_ai.rules.dataset import Parts
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value

BATCH_ROWS = 5000


class ParquetRows:
    """Rows to a Parquet file that is open for writing."""

    def __init__(self, path: Path, writer: pq.ParquetWriter) -> None:
        self.path = path
        self._writer = writer

    def write(self, rows: Sequence[Value]) -> None:
        self._writer.write_table(arrow_table(rows, self._writer.schema))


@contextmanager
def _parquet(path: Path, columns: pa.Schema) -> Iterator[ParquetRows]:
    with replacing(path) as file, pq.ParquetWriter(file, columns, compression="zstd") as writer:
        yield ParquetRows(path, writer)


@contextmanager
def table(folder: Path, name: str, row_type: type[Value]) -> Iterator[ParquetRows]:
    with _parquet(folder / f"{name}.parquet", schema(row_type)) as rows:
        yield rows


def write_examples(folder: Path, parts: Parts, kind: Kind) -> list[Path]:
    """`parquet/<part>.parquet`."""
    columns, written = schema(kind.dataset.example_type), []
    for name, examples in parts.items():
        path = folder / "parquet" / f"{name}.parquet"
        with _parquet(path, columns) as rows:
            for start in range(0, len(examples), BATCH_ROWS):
                rows.write([kind.dataset.row(example) for example in examples[start : start + BATCH_ROWS]])
        written.append(path)
    return written


FORMAT = Format(write_examples, table)
