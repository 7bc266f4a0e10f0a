"""Tables of an export, read again beside a gold file of it: groups of its examples, and votes as references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.names import ATTEMPTS
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import table_files
from beat_the_ai.files.records import Record, read_records
from beat_the_ai.files.values import id_of

COLUMNS = ("round", "genre", "arm", "language")


def attempt_groups(path: Path, key: str) -> dict[str, dict[str, str]]:
    """Return the groups of each attempt by its id, from the table of attempts. Raises `InvalidInput` under `key`."""
    return _groups_in([path], key)


def groups_beside(folder: Path, key: str) -> dict[str, dict[str, str]]:
    """Return the same from the table of attempts in a folder; nothing without one. Raises as `attempt_groups`."""
    return _groups_in(table_files(folder, ATTEMPTS), key)


def counted_votes(path: Path, key: str) -> Mapping[str, Sequence[Any]]:
    """Return the votes that count by attempt, from the table of votes. Raises `InvalidInput` under `key`."""
    votes: defaultdict[str, list[Any]] = defaultdict(list)
    for record in read_records(path, key, "'attempt_id' and 'vote'"):
        if "vote" not in record.fields and "agrees" not in record.fields:
            raise InvalidInput(key, f"{record.place}: there is no vote; it has {record.field_names}.")
        is_counted = "dropped" not in record.fields and "vote" in record.fields
        if is_counted and "attempt_id" in record.fields:
            votes[_attempt(record, key)].append(record.fields["vote"])
    return votes


def _groups_in(tables: Sequence[Path], key: str) -> dict[str, dict[str, str]]:
    records = (record for path in tables for record in read_records(path, key, "'attempt_id'"))
    return {_attempt(record, key): _groups(record.fields) for record in records}


def _attempt(record: Record, key: str) -> str:
    if name := id_of(record.fields, record.place, key, ("attempt_id",)):
        return name
    raise InvalidInput(key, f"{record.place}: there is no attempt_id; it has {record.field_names}.")


def _groups(fields: Mapping[str, Any]) -> dict[str, str]:
    model, exclusive = fields.get("model"), fields.get("exclusive")
    groups = {column: str(fields[column]) for column in COLUMNS if column in fields}
    if isinstance(exclusive, bool):
        groups["exclusive"] = "yes" if exclusive else "no"
    if isinstance(model, Mapping) and "name" in model:
        groups["model in the loop"] = str(model["name"])
    return groups
