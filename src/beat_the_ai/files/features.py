"""Names of classes that a dataset declares beside its files, as the Hugging Face hub and `datasets` write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.json_text import read_json
from beat_the_ai.files.values import whole
from beat_the_ai.files.yaml_files import parse_yaml

_FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_JSON = ("dataset_info.json", "dataset_infos.json")
Classes = Mapping[str, list[str]]


def declared_classes(file: Path, key: str) -> Classes:
    """Return the names of classes by column, from a card or `dataset_info` in a file's folder or the one above it.

    Raises `InvalidInput` under `key` where configurations of the dataset number a column's classes differently, and for
    a `dataset_info` that cannot be read: numbers would have other names.
    """
    folder = file.resolve().parent
    for place in (folder, folder.parent):
        found: dict[str, list[str]] = {}
        for features in _features(place, key):
            for column, names in features.items():
                if found.setdefault(column, names) != names:
                    raise InvalidInput(
                        key,
                        f"{place} numbers the classes of {column} in two ways: {', '.join(found[column])}; and "
                        f"{', '.join(names)}. Write them as names in {file.name}.",
                    )
        if found:
            return found
    return {}


def with_class_names(fields: dict[str, Any], classes: Classes) -> dict[str, Any]:
    """Return a record's fields with the names of classes for their numbers; a number without a name stays."""
    named = {column: _name(fields[column], names) for column, names in classes.items() if column in fields}
    return {**fields, **named} if named else fields


def _name(value: Any, names: list[str]) -> Any:
    number = int(value) if isinstance(value, str) and value.isdecimal() else whole(value)
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(names):
        return names[number]
    return value


def _features(folder: Path, key: str) -> Iterator[dict[str, list[str]]]:
    for info in _infos(folder, key):
        features = info.get("features")
        pairs = features.items() if isinstance(features, dict) else _listed(features)
        classes = {str(column): names for column, feature in pairs if (names := _names(feature))}
        if classes:
            yield classes


def _infos(folder: Path, key: str) -> Iterator[dict[str, Any]]:
    for name in _JSON:
        content = _json(folder / name, key)
        found: list[Any] = [content] if name == _JSON[0] else list(content.values())
        yield from (info for info in found if isinstance(info, dict))
    card = folder / "README.md"
    front = _FRONT.match(card.read_text("utf-8-sig", errors="replace")) if card.is_file() else None
    if front is None:
        return
    try:
        content = parse_yaml(front[1])
    except (ValueError, RecursionError):
        return
    infos = content.get("dataset_info") if isinstance(content, dict) else None
    yield from (info for info in (infos if isinstance(infos, list) else [infos]) if isinstance(info, dict))


def _json(path: Path, key: str) -> dict[str, Any]:
    content = read_json(path, key) if path.is_file() else {}
    return content if isinstance(content, dict) else {}


def _listed(features: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the features of a card: `{name, dtype: {class_label: {names: {"0": …}}}}`."""
    for feature in features if isinstance(features, list) else []:
        if isinstance(feature, dict) and isinstance(feature.get("dtype"), dict):
            yield feature.get("name"), feature["dtype"].get("class_label")


def _names(feature: Any) -> list[str]:
    names = feature.get("names") if isinstance(feature, dict) else None
    if isinstance(names, dict) and all(str(number).isdecimal() for number in names):
        names = [names[number] for number in sorted(names, key=lambda number: int(number))]
    return list(map(str, names)) if isinstance(names, list) else []
