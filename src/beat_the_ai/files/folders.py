"""Folders of a dataset's parts: train, dev and test in files, as exports, authors and the hub have them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.json_text import read_json

KEY = "DATASET"  # the argument that names a folder
PART_NAMES = ("train", "dev", "test")
_ALIASES = {"validation": "dev", "valid": "dev", "val": "dev"}
_ENDS = (  # preferred first
    ".jsonl",
    ".jsonl.gz",
    ".ndjson",
    ".ndjson.gz",
    ".json",
    ".json.gz",
    ".parquet",
    ".arrow",
    ".feather",
    ".csv",
    ".csv.gz",
    ".tsv",
    ".tsv.gz",
)
_PACKED = (".bz2", ".xz", ".zst", ".zip", ".xlsx")  # no reader unpacks them
_WITHIN = ("jsonl", "squad", "anli", "qanta", "parquet", "hf", "data", "plain_text")  # of exports and of the hub
_NAME = re.compile(  # SQuAD's train-v1.1.json, SNLI's snli_1.0_dev.jsonl, the hub's test_r1-00000-of-00001.parquet
    r"(?:(?P<before>[a-z0-9._-]+)[._-])?"
    r"(?P<fold>guess|buzz)?"  # QANTA's qanta.guessdev.json
    rf"(?P<part>{'|'.join((*PART_NAMES, *_ALIASES))})"
    r"(?:[._-](?P<after>[a-z0-9._-]+?))??"
    r"(?:-(?P<number>\d{5})-of-(?P<count>\d{5})(?:-[0-9a-f]+)?)?"
)
_TOGETHER = re.compile(r"r\d+|matched|mismatched|guess|buzz")  # ends of names that divide one part
_ROUND = re.compile(r"[Rr]\d{1,4}")
_OF_DATASETS = {"dataset_dict.json", "dataset_info.json", "dataset_infos.json", "state.json"}
_BESIDE = (*sorted(_OF_DATASETS), "README.md")  # what says how the data files are to be read


@dataclass(frozen=True)
class FolderParts:
    """The files of each part by its name, in order; `left_out` are files of data that are none of them."""

    parts: dict[str, list[Path]] = field(default_factory=dict)
    left_out: list[Path] = field(default_factory=list)


class _Name(NamedTuple):
    """The parts of a file's name: the part of the dataset, the text beside that word, and how many shards there are."""

    part: str
    word: str
    before: str
    after: str
    shards: int | None

    @property
    def is_plain(self) -> bool:
        return not self.before and not self.after


def parts_of(path: Path, key: str = KEY) -> FolderParts:
    """Find the parts in a folder, or in that of an export or of the hub within it; a file is one part.

    A folder of rounds (R1, R2 …), as ANLI is released, has the files of all of them, in their order. Raises
    `InvalidInput` under `key` for a folder without any, a part under two names, and shards that are not there.
    """
    if not path.is_dir():
        return FolderParts({path.stem: [path]})
    for folder in (path, *(path / name for name in _WITHIN)):
        if not folder.is_dir():
            continue
        if (found := _in_folder(folder, key)).parts:
            return FolderParts({name: found.parts[name] for name in _ordered(found.parts)}, found.left_out)
        if rounds := sorted((each for each in folder.iterdir() if round_of(each)), key=lambda each: int(each.name[1:])):
            return _together([parts_of(of_round, key) for of_round in rounds])
    raise InvalidInput(
        key,
        f"{path} holds no train, dev or test part as {', '.join(_ENDS)}, and no Hugging Face dataset. Name such a "
        "folder, or a file.",
    )


def files_of(path: Path, wanted: Collection[str], key: str = KEY) -> list[Path]:
    """Return the files of a folder's parts that are wanted, or of its only part; a file is itself.

    Raises `InvalidInput` under `key` as `parts_of`, and for a folder of several parts without any of these.
    """
    parts = parts_of(path, key).parts
    chosen = list(parts) if len(parts) == 1 else [name for name in parts if name in wanted]
    if not chosen:
        raise InvalidInput(
            key, f"{path} has the parts {', '.join(parts)}, and {' or '.join(wanted)} is needed. Name a file of it."
        )
    return [file for name in chosen for file in parts[name]]


def dataset_files(path: Path, key: str = KEY) -> list[Path]:
    """Return the files of a folder's parts, and those of the folder that describe them; a file is itself.

    Raises `InvalidInput` as `parts_of`.
    """
    files = [file for files in parts_of(path, key).parts.values() for file in files]
    if not path.is_dir():
        return files
    places = {place for file in files for place in (file.parent, file.parent.parent) if place.is_relative_to(path)}
    beside = (place / name for place in sorted(places) for name in _BESIDE)
    return [*files, *(file for file in beside if file.is_file())]


def table_files(folder: Path, name: str) -> list[Path]:
    """Return the files of a further table of an export, such as `attempts`, in the first format that it has."""
    found = (sorted(folder.glob(pattern)) for pattern in (f"{name}.jsonl", f"{name}.parquet", f"hf/{name}/*.arrow"))
    return next(filter(None, found), [])


def round_of(folder: Path) -> str:
    """Return the round that a folder is named after, as R1; "" of any other."""
    return folder.name if _ROUND.fullmatch(folder.name) and folder.is_dir() else ""


def _together(folders: Iterable[FolderParts]) -> FolderParts:
    found = FolderParts()
    for each in folders:
        found.left_out.extend(each.left_out)
        for name, files in each.parts.items():
            found.parts.setdefault(name, []).extend(files)
    return FolderParts({name: found.parts[name] for name in _ordered(found.parts)}, found.left_out)


def _ordered(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: PART_NAMES.index(name) if name in PART_NAMES else len(PART_NAMES))


def _in_folder(folder: Path, key: str) -> FolderParts:
    if (folder / "state.json").is_file():
        return FolderParts({_part(folder.name) or folder.name: _saved(folder, key)})
    within = sorted(each for each in folder.iterdir() if each.is_dir())
    if any(_named(each) for each in folder.iterdir() if each.is_file()):
        return _by_name(folder, key)
    splits = {part: each for each in within if (part := _part(each.name))}
    saved = {
        part: _saved(each, key) if (each / "state.json").is_file() else _data(each) for part, each in splits.items()
    }
    return FolderParts({part: files for part, files in saved.items() if files})


def _saved(folder: Path, key: str) -> list[Path]:
    """Return the files that `Dataset.save_to_disk` has listed. Raise `InvalidInput` for a list that names others."""
    state = folder / "state.json"
    content = read_json(state, key)
    listed = content.get("_data_files") if isinstance(content, dict) else None
    names = [each.get("filename") if isinstance(each, dict) else None for each in listed or []]
    if not isinstance(listed, list) or not all(isinstance(name, str) and Path(name).name == name for name in names):
        raise InvalidInput(key, f"{state} does not list the files of its folder by their names, as `datasets` does.")
    return [folder / str(name) for name in names]


def _data(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name not in _OF_DATASETS)
    return [path for path in files if _end(path)]


def _by_name(folder: Path, key: str) -> FolderParts:
    found = FolderParts(left_out=sorted(path for path in folder.iterdir() if path.suffix.lower() in _PACKED))
    files: dict[str, dict[_Name, list[Path]]] = {}  # by part, and by name without number and end
    for path in _data(folder):
        if (name := _named(path)) is None:
            found.left_out.append(path)
        else:
            files.setdefault(name.part, {}).setdefault(name._replace(shards=None), []).append(path)
    for part, named in files.items():
        chosen = _chosen(folder, part, named, key)
        found.parts[part] = [path for name in chosen for path in _preferred(named[name], found, key)]
        found.left_out.extend(path for name, paths in named.items() if name not in chosen for path in paths)
    return found


def _chosen(folder: Path, part: str, named: Mapping[_Name, list[Path]], key: str) -> list[_Name]:
    """Return the names of a part's files: the plain one, the only one, or those that divide it."""
    chosen = sorted(name for name in named if name.is_plain) or sorted(named)
    divided = {(name.word, name.before) for name in chosen}
    if len(chosen) > 1 and not (len(divided) == 1 and all(_TOGETHER.fullmatch(name.after) for name in chosen)):
        said = " and ".join(sorted(path.name for name in chosen for path in named[name]))
        raise InvalidInput(key, f"{folder} has the {part} part more than once: {said}. Leave one there, or name it.")
    return chosen


def _preferred(paths: list[Path], found: FolderParts, key: str) -> list[Path]:
    """Return the files with the end that is preferred, once no shard is missing; the others are left out."""
    end = min((_end(path) for path in paths), key=_ENDS.index)
    files = [path for path in paths if _end(path) == end]
    found.left_out.extend(path for path in paths if _end(path) != end)
    shards = [name.shards for path in files if (name := _named(path)) is not None and name.shards is not None]
    if shards and len(files) != shards[0]:
        raise InvalidInput(
            key, f"{files[0].parent} has {len(files)} of the {shards[0]} files that {files[0].name} tells of."
        )
    return files


def _named(path: Path) -> _Name | None:
    """Return what a file's name says, where it is that of a part."""
    found = _NAME.fullmatch(path.name.lower().removesuffix(_end(path))) if _end(path) else None
    part = _part(found["part"]) if found is not None else None
    if found is None or part is None:
        return None
    count, after = found["count"], found["fold"] or found["after"] or ""
    return _Name(part, found["part"], found["before"] or "", after, int(count) if count else None)


def _part(name: str) -> str | None:
    part = _ALIASES.get(name.lower(), name.lower())
    return part if part in PART_NAMES else None


def _end(path: Path) -> str:
    """Return the end of a data file's name; "" of others."""
    return next((end for end in reversed(_ENDS) if path.name.lower().endswith(end)), "")
