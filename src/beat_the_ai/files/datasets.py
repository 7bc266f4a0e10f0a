"""The one reader of datasets: the records of a file, or of all parts of a folder, whatever wrote them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from beat_the_ai.files.features import declared_classes, with_class_names
from beat_the_ai.files.folders import parts_of, round_of
from beat_the_ai.files.records import Record, RowT, read_records, row_of


def read_dataset(path: Path, key: str, fields: str = "", listed: Sequence[str] = ()) -> list[Record]:
    """Return the records of a file, or of each part of a folder, with their part; a file is one, named like it.

    Lines are counted on from file to file, so that a record's number is its own. Classes have the names that the
    dataset declares (`features`). `fields` and `listed` are as for `read_records`. Raises `InvalidInput` under `key` as
    `read_records` and `parts_of`.
    """
    records: list[Record] = []
    for part, files in parts_of(path, key).parts.items():
        for file in files:
            before, of_round = records[-1].number if records else 0, round_of(file.resolve().parent)
            classes = declared_classes(file, key)
            for record in read_records(file, key, fields, listed):
                named = with_class_names(record.fields, classes)
                found = replace(record, number=before + record.number, fields=named, part=part, round=of_round)
                records.append(found)
    return records


def read_dataset_rows(path: Path, row_type: type[RowT], key: str, fields: str) -> Iterator[tuple[str, RowT]]:
    """Yield the records of a dataset as `row_type`, each with its place. Raises as `read_dataset`."""
    for record in read_dataset(path, key, fields):
        yield record.place, row_of(record, row_type, key, fields)


def sha256_of(path: Path, key: str) -> str:
    """Return the SHA-256 of a file, or over the names and contents of all files of a folder's parts."""
    if not path.is_dir():
        return _sha256(path)
    files = [file for files in parts_of(path, key).parts.values() for file in files]
    lines = (f"{_sha256(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
