"""Looking back: another model answers what people once wrote, and is beaten by it or not.

A model's answers lie in one file, `OUT/rescored/NAME-HASH-PRECISION.jsonl`: a line that says which model it is and what
it was asked about, then a line for each work, by its id. The file only grows, and lines are on disk before more is
asked: what was answered once is not asked again, whatever died meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.adversary.answers import answered, at_once
from beat_the_ai.adversary.protocol import Adversary, ModelIdentity
from beat_the_ai.errors import InvalidInput, Refused, first_fault
from beat_the_ai.modes import hand_on, make_shared_folder
from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import Json, Piece, Value

FOLDER = "rescored"
HASH_DIGITS = 12


@dataclass(frozen=True)
class Past:
    """A work of the past, and the rules by which it is judged now as it was then."""

    id: str
    piece: Piece
    work: Value
    writing: Writing[Any, Any, Any]


class Header(BaseModel):
    """The first line. `of` is what the works are from: a campaign, or the SHA-256 of a dataset's files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelIdentity
    of: str


class Verdict(BaseModel):
    """Any other line: what the model says of a work, and whether that beats it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    fooled: bool
    scores: dict[str, Any]
    prediction: dict[str, Any]


@dataclass(frozen=True)
class Rescored:
    """All of a file, by the works' ids."""

    model: ModelIdentity
    of: str
    verdicts: Mapping[str, Verdict]

    @property
    def label(self) -> str:
        return f"{self.model.name} ({self.model.hash[:8]}, {self.model.precision})"


def path_of(folder: Path, model: ModelIdentity) -> Path:
    """Where a model's answers lie in `folder`."""
    name = "".join(char if char.isalnum() or char in "-._" else "-" for char in model.name)
    return folder / f"{name}-{model.hash[:HASH_DIGITS]}-{model.precision}.jsonl"


def rescore(
    path: Path,
    of: str,
    works: Sequence[Past],
    model: Adversary[Any, Any],
    shown: Callable[[Iterable[Sequence[Past]], int], Iterable[Sequence[Past]]] = lambda batches, _: batches,
) -> Rescored:
    """Ask the model what it was not asked yet. `shown` gets the batches and how many works they are, for progress.

    What gets no answer that can be read is left out, and asked again. Raises `InvalidInput` for a file that is of
    something else, and `Refused` while another process writes to it; `AdversaryError` when the model fails and
    `Refused` when its budget is spent, which loses none of the answers that are paid for.
    """
    header = Header(model=model.identity, of=of)
    with _open_for_more(path, header) as (file, known):
        missing = [past for past in works if past.id not in known]
        for batch in shown(_batches(missing, at_once(model)), len(missing)):
            predictions = answered(model, [past.writing.query(past.work, past.piece) for past in batch])
            lines = [_verdict(past, given) for past, given in zip(batch, predictions, strict=True) if given is not None]
            file.write("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode())
            file.flush()
            os.fsync(file.fileno())
    return read_rescored(path)


def read_rescored(path: Path) -> Rescored:
    """Raises `InvalidInput` for a line that is not as `rescore` writes it; one that was cut off is none."""
    header, verdicts = _read(path, path.read_bytes())
    return Rescored(header.model, header.of, {verdict.id: verdict for verdict in verdicts})


def all_rescored(folder: Path) -> list[Rescored]:
    """Of every model that has answered there, in the order of the files' names."""
    files = sorted(folder.glob("*.jsonl"))
    return [read_rescored(path) for path in files if b"\n" in path.read_bytes()]  # or it died before its first line


def _verdict(past: Past, prediction: Value) -> Json:
    verdict = past.writing.judge(past.work, prediction, past.piece)
    scores, said = (value.model_dump(mode="json") for value in (verdict.scores, prediction))
    return {"id": past.id, "fooled": verdict.fooled, "scores": scores, "prediction": said}


def _batches(works: Sequence[Past], at_once: int) -> Iterator[Sequence[Past]]:
    iterator = iter(works)
    while batch := list(islice(iterator, at_once)):
        yield batch


@contextmanager
def _open_for_more(path: Path, header: Header) -> Iterator[tuple[IO[bytes], set[str]]]:
    """The file, at its end, and the ids that are in it. A line that was cut off when something died is taken away."""
    make_shared_folder(path.parent)
    with path.open("a+b") as file:
        hand_on(path)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"Another process writes to {path} at this moment. Wait for its end.") from None
        file.seek(0)
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        file.truncate(len(whole))
        if not whole:
            file.write(f"{header.model_dump_json()}\n".encode())
            yield file, set()
            return
        found, verdicts = _read(path, whole)
        if found != header:
            raise InvalidInput(
                "--out",
                f"{path} is of {found.of}, with {found.model}; {header.of}, with {header.model} was given. "
                "Name another --out, or remove it.",
            )
        yield file, {verdict.id for verdict in verdicts}


def _read(path: Path, content: bytes) -> tuple[Header, list[Verdict]]:
    first, *lines = content[: content.rfind(b"\n") + 1].splitlines() or [b""]
    header, verdicts = None, list[Verdict]()
    try:
        header = Header.model_validate_json(first)
        verdicts += map(Verdict.model_validate_json, lines)
    except ValidationError as error:
        fault, number = first_fault(error, "the line"), 1 if header is None else len(verdicts) + 2
        raise InvalidInput(
            "--out",
            f"{path}, line {number}, is damaged ({fault.place}: {fault.reason}). Remove the file: `beat-the-ai "
            "rescore` makes it again.",
        ) from None
    return header, verdicts
