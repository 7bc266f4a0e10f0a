"""The dataset as a Hugging Face `DatasetDict` folder, with the tables of attempts and edits beside it.

The folder is what `DatasetDict.save_to_disk` leaves, written with pyarrow alone: its fingerprints come from the data
instead of from chance, so that the same dataset has the same bytes, and the library `datasets` is needed by readers
only. `datasets.load_from_disk(folder)` reads it; so does `datasets.load_dataset(folder)`, which the data card in it
tells where the parts lie. `load_dataset` keeps what it has read by the name of the folder and the names of its files;
these hold a checksum, so that no dataset is taken for another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from beat_the_ai.dataset.arrow import arrow_table, schema
from beat_the_ai.dataset.files import replacing, sha256, write_text
from beat_the_ai.dataset.format import Format
from beat_the_ai.dataset.records import HUGGING_FACE_FOLDER, SPLITS
from beat_the_ai.rules.dataset import Dataset, Example, Parts
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value

BATCH_ROWS = 1000
CHECKSUM_DIGITS = 16


class ArrowRows:
    """Rows to a stream of Arrow's that is open for writing."""

    def __init__(self, path: Path, stream: pa.RecordBatchStreamWriter, columns: pa.Schema) -> None:
        self.path = path
        self._stream = stream
        self._columns = columns

    def write(self, rows: Sequence[Value]) -> None:
        for start in range(0, len(rows), BATCH_ROWS):
            batch = rows[start : start + BATCH_ROWS]
            self._stream.write_table(arrow_table(batch, self._columns))


@contextmanager
def _shard(folder: Path, columns: pa.Schema) -> Iterator[ArrowRows]:
    """The one file of rows of a folder, named by its content when it is closed."""
    unnamed = folder / "data.arrow"
    with replacing(unnamed) as file, pa.ipc.new_stream(file, columns) as stream:
        rows = ArrowRows(unnamed, stream, columns)
        yield rows
    rows.path = unnamed.replace(folder / f"data-00000-of-00001-{sha256(unnamed)[:CHECKSUM_DIGITS]}.arrow")


@contextmanager
def table(folder: Path, name: str, row_type: type[Value]) -> Iterator[ArrowRows]:
    with _shard(folder / HUGGING_FACE_FOLDER / name, schema(row_type)) as rows:
        yield rows


def write_examples(folder: Path, parts: Parts, kind: Kind) -> list[Path]:
    """`hf/<split>/`; the library calls the part dev "validation"."""
    return write_dataset_dict(folder / HUGGING_FACE_FOLDER, parts, kind.dataset)


def write_dataset_dict(root: Path, parts: Parts, dataset: Dataset) -> list[Path]:
    """`<root>/<split>/`, and the names of the splits."""
    names = root / "dataset_dict.json"
    _write_json(names, {"splits": [SPLITS[name] for name in parts]})
    return [names, *(path for name in parts for path in _write_split(root / SPLITS[name], parts[name], dataset))]


def _write_split(folder: Path, examples: Sequence[Example], dataset: Dataset) -> list[Path]:
    state, info = folder / "state.json", folder / "dataset_info.json"
    columns = schema(dataset.example_type)
    features = {field.name: _features(field.type) for field in columns}
    with _shard(folder, columns.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})) as rows:
        rows.write([dataset.row(example) for example in examples])
    _write_json(
        state,
        {
            "_data_files": [{"filename": rows.path.name}],
            "_fingerprint": sha256(rows.path)[:CHECKSUM_DIGITS],
            "_format_columns": None,
            "_format_kwargs": {},
            "_format_type": None,
            "_output_all_columns": False,
            "_split": folder.name,
        },
    )
    _write_json(info, {"citation": "", "description": "", "features": features, "homepage": "", "license": ""})
    return [rows.path, state, info]


def _features(kind: pa.DataType) -> Any:
    """A type in the words of the library `datasets`; its old and its new versions read "Sequence"."""
    if pa.types.is_struct(kind):
        return {field.name: _features(field.type) for field in kind}
    if pa.types.is_list(kind):
        return {"feature": _features(kind.value_type), "_type": "Sequence"}
    return {"dtype": str(kind), "_type": "Value"}


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(content, indent=2) + "\n")


FORMAT = Format(write_examples, table)
