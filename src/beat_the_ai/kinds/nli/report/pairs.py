"""Labelled pairs to analyse: a campaign's, or those of files in ANLI's columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.kinds.nli.dataset import Letter, Row

PART_NAMES = ("train", "dev", "test")


@dataclass(frozen=True)
class LabelledPair:
    id: str
    premise: str
    hypothesis: str
    label: Letter
    genre: str

    @classmethod
    def of(cls, row: Row) -> LabelledPair:
        return cls(row.uid, row.context, row.hypothesis, row.label, row.genre)


@dataclass(frozen=True)
class Part:
    """One part of a dataset."""

    name: str
    pairs: list[LabelledPair]


class _Line(BaseModel):
    """What is needed of ANLI's columns; others may be there."""

    model_config = ConfigDict(strict=True)

    uid: str
    context: str
    hypothesis: str
    label: Letter
    genre: str | None = None


def read_part(path: Path) -> Part:
    """A whole file. Raises `InvalidInput` that names the file, the line, and what is wrong with it."""
    return Part(path.stem, list(_pairs(path)))


def read_parts(path: Path) -> list[Part]:
    """The parts of a dataset: of a folder its train, dev and test files, or those of an export; of a file itself."""
    if not path.is_dir():
        return [read_part(path)]
    for folder in (path, path / "jsonl"):
        files = [folder / f"{name}.jsonl" for name in PART_NAMES]
        if any(file.is_file() for file in files):
            return [replace(read_part(file), name=file.stem) for file in files if file.is_file()]
    raise InvalidInput(
        "DATASET", f"{path} holds no train, dev or test part as .jsonl in the columns of ANLI. Name such a folder."
    )


def _pairs(path: Path) -> Iterator[LabelledPair]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:  # U+2028 and the like end no line
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _pair(line, f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("DATASET", f"{path} cannot be read: {error}") from error


def _pair(line: str, where: str) -> LabelledPair:
    try:
        row = _Line.model_validate_json(line)
    except ValidationError as error:
        fault = first_fault(error, "row")
        raise InvalidInput(
            "DATASET",
            f"{where}: an object with uid, context, hypothesis and label (e, n or c) is needed "
            f"({fault.place}: {fault.reason}).",
        ) from None
    return LabelledPair(row.uid, row.context, row.hypothesis, row.label, row.genre or "")
