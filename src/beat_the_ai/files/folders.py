"""Folders of a dataset's parts: train, dev and test in files, as exports and the Hugging Face hub have them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.json_text import read_json

KEY = "DATASET"  # the argument that names a folder
PART_NAMES = ("train", "dev", "test")
_ALIASES = {"validation": "dev", "valid": "dev", "val": "dev"}
_ENDS = (".jsonl", ".jsonl.gz", ".ndjson", ".json", ".json.gz", ".parquet", ".arrow", ".csv", ".tsv")  # preferred first
_WITHIN = ("jsonl", "squad", "parquet", "hf", "data", "plain_text")  # where exports and the hub keep parts
_SHARD = re.compile(r"(?P<part>[a-z]+)(?:-(?P<number>\d+)-of-(?P<count>\d+)(?:-[0-9a-f]+)?)?")
_OF_DATASETS = {"dataset_dict.json", "dataset_info.json", "dataset_infos.json", "state.json"}


@dataclass(frozen=True)
class FolderParts:
    """The files of each part by its name, in order; `left_out` are files of data that are none of them."""

    parts: dict[str, list[Path]] = field(default_factory=dict)
    left_out: list[Path] = field(default_factory=list)


def parts_of(path: Path) -> FolderParts:
    """Find the parts in a folder, or in that of an export or of the hub within it; a file is one part.

    Raises `InvalidInput` for a folder without any, a part under two names, and shards that are not there.
    """
    if not path.is_dir():
        return FolderParts({path.stem: [path]})
    for folder in (path, *(path / name for name in _WITHIN)):
        if folder.is_dir() and (found := _in_folder(folder)).parts:
            return FolderParts({name: found.parts[name] for name in _ordered(found.parts)}, found.left_out)
    raise InvalidInput(
        KEY,
        f"{path} holds no train, dev or test part as {', '.join(_ENDS)}, and no Hugging Face dataset. Name such a "
        "folder, or a file.",
    )


def _ordered(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: PART_NAMES.index(name) if name in PART_NAMES else len(PART_NAMES))


def _in_folder(folder: Path) -> FolderParts:
    if (folder / "state.json").is_file():
        return FolderParts({_part(folder.name) or folder.name: _saved(folder)})
    splits = {part: each for each in sorted(folder.iterdir()) if each.is_dir() and (part := _part(each.name))}
    if splits and not any(_named(each) for each in folder.iterdir()):
        saved = {
            part: _saved(each) if (each / "state.json").is_file() else _data(each) for part, each in splits.items()
        }
        return FolderParts({part: files for part, files in saved.items() if files})
    return _by_name(folder)


def _saved(folder: Path) -> list[Path]:
    """Return the files that `Dataset.save_to_disk` has listed. Raise `InvalidInput` for a list that names others."""
    state = folder / "state.json"
    content = read_json(state, KEY)
    listed = content.get("_data_files") if isinstance(content, dict) else None
    names = [each.get("filename") if isinstance(each, dict) else None for each in listed or []]
    if not isinstance(listed, list) or not all(isinstance(name, str) and Path(name).name == name for name in names):
        raise InvalidInput(KEY, f"{state} does not list the files of its folder by their names, as `datasets` does.")
    return [folder / str(name) for name in names]


def _data(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name not in _OF_DATASETS)
    return [path for path in files if _end(path)]


def _by_name(folder: Path) -> FolderParts:
    found = FolderParts()
    names: dict[str, dict[tuple[str, str], list[Path]]] = {}
    for path in _data(folder):
        if (named := _named(path)) is None:
            found.left_out.append(path)
        else:
            names.setdefault(_part(named["part"]) or "", {}).setdefault((named["part"], _end(path)), []).append(path)
    for part, files in names.items():
        if len({name for name, _ in files}) > 1:
            said = " and ".join(sorted(path.name for paths in files.values() for path in paths))
            raise InvalidInput(KEY, f"{folder} has the {part} part more than once: {said}. Leave one there.")
        first, *others = sorted(files, key=lambda each: _ENDS.index(each[1]))
        found.parts[part] = _whole(files[first])
        found.left_out.extend(path for other in others for path in files[other])
    return found


def _whole(paths: list[Path]) -> list[Path]:
    """Return the shards of a part, once none is missing."""
    shards = [named for path in paths if (named := _named(path)) is not None and named["count"]]
    if shards and len(paths) != int(shards[0]["count"]):
        raise InvalidInput(
            KEY,
            f"{paths[0].parent} has {len(paths)} of the {int(shards[0]['count'])} files that {paths[0].name} tells of.",
        )
    return paths


def _named(path: Path) -> re.Match[str] | None:
    """Return what a file's name says, where it is that of a part."""
    named = _SHARD.fullmatch(path.name.removesuffix(_end(path)).lower()) if _end(path) else None
    return named if named is not None and _part(named["part"]) else None


def _part(name: str) -> str | None:
    part = _ALIASES.get(name.lower(), name.lower())
    return part if part in PART_NAMES else None


def _end(path: Path) -> str:
    """Return the end of a data file's name; "" of others."""
    return next((end for end in reversed(_ENDS) if path.name.lower().endswith(end)), "")
