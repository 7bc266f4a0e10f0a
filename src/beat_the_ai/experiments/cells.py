"""A cell of the matrix: one model trained on some files under one seed, or one that is there, and what it answered.

A cell's folder is named by a hash of all that decides what becomes of it: the contents of its files, its settings, and
the project's version. So it is computed once, whatever matrix asks for it, and other data make another cell. In it are

| file | what |
|---|---|
| `cell.json` | what it is, and on which files it is to be measured: the job that `job.py` does |
| `model.json` | what was trained, and in how many seconds |
| `answers/HASH.json` | `{id: answer}` to a file of that hash |
| `training/` | all that `beat-the-ai train` wrote, its checkpoint included, by which a killed one goes on |
| `log.txt` | what the job printed |
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.files import sha256
from beat_the_ai.experiments.datasets import DataFile
from beat_the_ai.experiments.matrix import Answering
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.rules.protocol import Value

CELL_FILE, MODEL_FILE, LOG_FILE = "cell.json", "model.json", "log.txt"
TRAINING, NAME = "training", "model"
HASH_LENGTH = 16  # of the folders' names


class Job(Value):
    """`arguments` are of the kind's `train`; None where `model` is there already. `golds`: files by their hashes."""

    task: str
    arguments: list[str] | None
    model: str | None
    answering: Answering
    keep_model: bool
    golds: dict[str, str]


class Trained(Value):
    """`model` as campaigns name it, with a path from the cell's folder; `seconds` of wall-clock time."""

    model: str
    seconds: float


@dataclass(frozen=True)
class Cell:
    """`model` is the name of its settings. `data` is what it is trained on, none of a model that is there already."""

    folder: Path
    model: str
    seed: int | None
    data: tuple[DataFile, ...]
    job: Job

    def measured_on(self, gold: DataFile) -> Cell:
        golds = {**self.job.golds, gold.hash: str(gold.path)}
        return replace(self, job=self.job.model_copy(update={"golds": golds}))

    def answers(self, gold_hash: str) -> Path:
        """Return the file of the answers to the file of that hash."""
        precision = self.job.answering.precision
        return answers_file(self.folder, gold_hash, precision)

    @property
    def missing(self) -> list[str]:
        """The hashes of files that are still to be answered."""
        return [gold for gold in self.job.golds if not self.answers(gold).is_file()]

    @property
    def trained(self) -> Trained | None:
        path = self.folder / MODEL_FILE
        return Trained.model_validate_json(path.read_bytes()) if path.is_file() else None

    def write_job(self) -> None:
        write_value(self.folder / CELL_FILE, self.job)


def training_arguments(folder: Path, job: Job) -> list[str]:
    """Return what the kind's `train` is called with in that cell's folder."""
    return [*(job.arguments or ()), "--name", NAME, "--out", str(folder.resolve() / TRAINING)]


def answers_file(folder: Path, gold_hash: str, precision: str | None) -> Path:
    end = "" if precision is None else f"-{precision}"
    return folder / "answers" / f"{gold_hash}{end}.json"


def write_value(path: Path, value: Value) -> None:
    with replacing(path) as file:
        file.write(value.model_dump_json(indent=2).encode())


def folder_name(identity: Mapping[str, Any], arguments: Sequence[str], contents: Mapping[str, str]) -> str:
    """Return the name of a cell's folder, from all that decides its result. Of file arguments the contents count.

    `contents` has the hashes of files that are known so far.
    """
    read = [_by_content(argument, contents) for argument in arguments]
    text = json.dumps({**identity, "arguments": read, "version": version("beat-the-ai")}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _by_content(argument: str, contents: Mapping[str, str]) -> list[str]:
    """The hash of the file that it names, or of the file or folder in BACKEND:PATH; else the argument as it stands."""
    if argument in contents:
        return [contents[argument]]
    if Path(argument).is_file():
        return [sha256(Path(argument))]
    backend, _, source = argument.partition(":")
    if source and Path(source).exists():
        return [backend, _content_hash(Path(source))]
    return [argument]


def _content_hash(path: Path) -> str:
    """Over the names and contents of a file, or of all files in a folder."""
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    named = [(file.relative_to(path).as_posix(), sha256(file)) for file in files]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()
