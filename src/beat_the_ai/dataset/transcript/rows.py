"""Rows of tables in any format, and how two of them differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.transcript.reading import objects, shown
from beat_the_ai.dataset.transcript.replay import Fields


def shown_vote(vote: Fields) -> str:
    """Return a vote in a form in which equal ones are equal, whatever format they were read from."""
    return repr((vote["worker"], _sorted(without_nothing(vote["vote"]))))


def differences(entry: Fields, row: Fields, apart: Collection[str] = ()) -> Iterator[str]:
    """Yield the fields of an entry, but for those `apart`, that a row does not have as they are."""
    for name, said in entry.items():
        if name not in apart:
            one, other = without_nothing(said), without_nothing(_told(name, said, row))
            if not _is_same(one, other):
                yield f"{name} is {shown(other)}, and {shown(one)} in the transcript"


def _told(name: str, said: Any, row: Fields) -> Any:
    """Return what a row says of a field. More may be told of a model than when the entry was written."""
    here = row.get(name)
    return {each: here.get(each) for each in said} if name == "model" and isinstance(here, dict) else here


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def without_nothing(value: Any) -> Any:
    """Return a value without fields that are null: tables of columns have them all."""
    if isinstance(value, dict):
        fields = {name: without_nothing(each) for name, each in value.items()}
        return {name: each for name, each in fields.items() if each is not None}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((name, _sorted(each)) for name, each in value.items())
    return [_sorted(each) for each in value] if isinstance(value, list) else value


def with_fields(vote_type: Any, vote: Any) -> Any:
    """Return a vote with all the fields of its type."""
    return {**dict.fromkeys(vote_type.model_fields), **vote}


def rows(path: Path, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a table with their numbers. Raises `Changed`."""
    if path.suffix == ".jsonl":
        yield from objects(path, name)
        return
    number = 0
    for batch in _batches(path):
        for row in batch.to_pylist():
            number += 1
            yield number, row


def _batches(path: Path) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".parquet":
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(1000)
    else:
        with path.open("rb") as source, pa.ipc.open_stream(source) as stream:
            yield from stream
