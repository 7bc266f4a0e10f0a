"""Reading datasets to analyse: SQuAD v1.1 JSON, JSON Lines in the columns of AdversarialQA, or a folder of parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.kinds.reading_comprehension import squad

PART_NAMES = ("train", "dev", "test")


@dataclass(frozen=True)
class Example:
    """A question about a passage, with its first answer (None where the dataset gives none)."""

    id: str
    context: str
    question: str
    answer: str | None


@dataclass(frozen=True)
class Part:
    """One part of a dataset. `passages` holds the distinct passages, those without a question included."""

    name: str
    examples: list[Example] = field(default_factory=list)
    passages: set[str] = field(default_factory=set)

    def add(self, example: Example) -> None:
        self.passages.add(example.context)
        self.examples.append(example)


def read_part(path: Path) -> Part:
    """A whole file. Raises `InvalidInput` that names the file, the line or place, and what is wrong with it."""
    part = Part(path.stem)
    if _is_json_lines(path):
        for example in _from_json_lines(path):
            part.add(example)
        return part
    for passage in squad.load(path):
        part.passages.add(passage.text)
        for question in passage.questions:
            answer = question.answers[0].text if question.answers else None
            part.add(Example(question.id, passage.text, question.text, answer))
    return part


def read_parts(path: Path) -> list[Part]:
    """The parts of a dataset: of a folder its train, dev and test files, or those of an export; of a file itself."""
    if not path.is_dir():
        return [read_part(path)]
    for folder in (path, path / "jsonl", path / "squad"):
        files = {name: _file_of_part(folder, name) for name in PART_NAMES}
        if any(files.values()):
            return [replace(read_part(file), name=name) for name, file in files.items() if file is not None]
    raise InvalidInput(
        "DATASET", f"{path} holds no train, dev or test part as .json (SQuAD v1.1) or .jsonl. Name such a folder."
    )


def _file_of_part(folder: Path, name: str) -> Path | None:
    return next((file for end in (".jsonl", ".json") if (file := folder / f"{name}{end}").is_file()), None)


def _is_json_lines(path: Path) -> bool:
    """By the name, or because the first line is an object of its own and not SQuAD's."""
    if path.suffix == ".jsonl":
        return True
    try:
        with path.open(encoding="utf-8") as file:
            first = json.loads(next((line for line in file if line.strip()), ""))
    except (OSError, ValueError, RecursionError):
        return False  # not one object a line; the reader of SQuAD says what is wrong
    return isinstance(first, dict) and "data" not in first


class _Answers(BaseModel):
    model_config = ConfigDict(strict=True)

    text: list[str]
    answer_start: list[int]


class _Row(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str | int = ""
    context: str
    question: str
    answers: _Answers


def _from_json_lines(path: Path) -> Iterator[Example]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:  # U+2028 and the like end no line
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _example(line, f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("DATASET", f"{path} cannot be read: {error}") from error


def _example(line: str, where: str) -> Example:
    try:
        row = _Row.model_validate_json(line)
    except ValidationError as error:
        fault = first_fault(error, "row")
        raise InvalidInput(
            "DATASET",
            f"{where}: an object with context, question and answers {{text: [], answer_start: []}} is needed "
            f"({fault.place}: {fault.reason}).",
        ) from None
    if len(row.answers.text) != len(row.answers.answer_start):
        raise InvalidInput("DATASET", f"{where}: answers.text and answers.answer_start differ in length.")
    return Example(str(row.id), row.context, row.question, next(iter(row.answers.text), None))
