"""The dataset and the table of attempts as Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format, Parts
from beat_the_ai.dataset.schemas import ATTEMPTS, EXAMPLES, table

ATTEMPTS_FILE = "attempts.parquet"
BATCH_ROWS = 5000


class ParquetRows:
    """Rows to a Parquet file that is open for writing."""

    def __init__(self, path: Path, writer: pq.ParquetWriter) -> None:
        self.path = path
        self._writer = writer

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._writer.write_table(table(rows, self._writer.schema))


@contextmanager
def _parquet(path: Path, schema: pa.Schema) -> Iterator[ParquetRows]:
    with replacing(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        yield ParquetRows(path, writer)


@contextmanager
def attempts_table(folder: Path) -> Iterator[ParquetRows]:
    with _parquet(folder / ATTEMPTS_FILE, ATTEMPTS) as rows:
        yield rows


def write_examples(folder: Path, parts: Parts) -> list[Path]:
    """`parquet/<part>.parquet`, in the columns of AdversarialQA."""
    written = []
    for name, examples in parts.items():
        path = folder / "parquet" / f"{name}.parquet"
        with _parquet(path, EXAMPLES) as rows:
            for start in range(0, len(examples), BATCH_ROWS):
                rows.write([example.row() for example in examples[start : start + BATCH_ROWS]])
        written.append(path)
    return written


FORMAT = Format(write_examples, attempts_table)
