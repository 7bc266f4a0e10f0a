"""The dataset as a Hugging Face `DatasetDict` folder, with the further tables beside it.

The folder is what `DatasetDict.save_to_disk` leaves, written with pyarrow alone: its fingerprints come from the data
instead of from chance, so that the same dataset has the same bytes, and the library `datasets` is needed by readers
only. `datasets.load_from_disk(folder)` reads it; so does `datasets.load_dataset(folder)`, which the data card in it
tells where the parts lie. `load_dataset` keeps what it has read by the name of the folder and the names of its files;
these hold a checksum, so that no dataset is taken for another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from beat_the_ai.dataset.arrow import GroupedRows, schema
from beat_the_ai.dataset.files import replacing, sha256, write_text
from beat_the_ai.dataset.format import Format, PartFiles
from beat_the_ai.dataset.names import HUGGING_FACE_FOLDER
from beat_the_ai.dataset.splits import SPLITS
from beat_the_ai.rules.protocol import Value

GROUP_ROWS = 1000
CHECKSUM_DIGITS = 16


@contextmanager
def _shard(folder: Path, columns: pa.Schema) -> Iterator[GroupedRows]:
    """Return the one file of rows of a folder, named by its content when it is closed."""
    unnamed = folder / "data.arrow"
    with replacing(unnamed) as file, pa.ipc.new_stream(file, columns) as stream:
        rows = GroupedRows(unnamed, stream.write_table, columns, GROUP_ROWS)
        yield rows
        rows.end()
    rows.path = unnamed.replace(folder / f"data-00000-of-00001-{sha256(unnamed)[:CHECKSUM_DIGITS]}.arrow")


def table(folder: Path, name: str, row_type: type[Value]) -> AbstractContextManager[GroupedRows]:
    return _shard(folder / HUGGING_FACE_FOLDER / name, schema(row_type))


def parts(folder: Path, names: Sequence[str], row_type: type[Value]) -> AbstractContextManager[PartFiles]:
    """Open `hf/<split>/`; the library calls the part dev "validation"."""
    return dataset_dict(folder / HUGGING_FACE_FOLDER, names, row_type)


@contextmanager
def dataset_dict(root: Path, names: Sequence[str], row_type: type[Value]) -> Iterator[PartFiles]:
    """Open `<root>/<split>/`, and write the names of the splits."""
    columns = schema(row_type)
    features = {field.name: _features(field.type) for field in columns}
    described = columns.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    with ExitStack() as opened:
        files = PartFiles({name: opened.enter_context(_shard(root / SPLITS[name], described)) for name in names})
        yield files
    splits = root / "dataset_dict.json"
    _write_json(splits, {"splits": [SPLITS[name] for name in names]})
    files.others.append(splits)
    for name in names:
        files.others += _describe(root / SPLITS[name], files.rows[name].path, features)


def _describe(folder: Path, shard: Path, features: Mapping[str, Any]) -> list[Path]:
    """Write the files that the library needs beside a split with that one file of rows."""
    state, info = folder / "state.json", folder / "dataset_info.json"
    _write_json(
        state,
        {
            "_data_files": [{"filename": shard.name}],
            "_fingerprint": sha256(shard)[:CHECKSUM_DIGITS],
            "_format_columns": None,
            "_format_kwargs": {},
            "_format_type": None,
            "_output_all_columns": False,
            "_split": folder.name,
        },
    )
    _write_json(info, {"citation": "", "description": "", "features": features, "homepage": "", "license": ""})
    return [state, info]


def _features(kind: pa.DataType) -> Any:
    """Return a type in the words of the library `datasets`; its old and its new versions read "Sequence"."""
    if pa.types.is_struct(kind):
        return {field.name: _features(field.type) for field in kind}
    if pa.types.is_list(kind):
        return {"feature": _features(kind.value_type), "_type": "Sequence"}
    return {"dtype": str(kind), "_type": "Value"}


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(content, indent=2) + "\n")


FORMAT = Format(parts, table)
