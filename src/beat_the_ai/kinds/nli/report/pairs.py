"""Labelled pairs to analyse: a campaign's, or those of files in ANLI's columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from beat_the_ai.json_lines import read_json_lines
from beat_the_ai.kinds.nli.dataset import Letter, Row
from beat_the_ai.rules.corpora import part_files

FILE_ENDS = {"jsonl": ".jsonl"}  # of a part, by the folder in which an export has it


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
    rows = read_json_lines(path, _Line, "DATASET", "uid, context, hypothesis and label (e, n or c)")
    return Part(
        path.stem,
        [LabelledPair(row.uid, row.context, row.hypothesis, row.label, row.genre or "") for _, row in rows],
    )


def read_parts(path: Path) -> list[Part]:
    """The parts of a dataset: of a folder its train, dev and test files, or those of an export; of a file itself."""
    return [read_part(file) for file in part_files(path, FILE_ENDS)]
