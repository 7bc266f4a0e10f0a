"""Looking back: another model answers what people once wrote, and is beaten by it or not.

A model's answers lie in one file, `OUT/rescored/NAME-HASH-PRECISION.jsonl`: a line that says which model it is and what
it was asked about, then a line for each work, by its id. The file only grows, and lines are on disk before more is
asked: what was answered once is not asked again, whatever died meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.adversary.answers import answered, at_once
from beat_the_ai.adversary.protocol import Adversary, ModelIdentity
from beat_the_ai.files.growing_file import growing_file, read_growing_file
from beat_the_ai.rules.answers import KeptAnswers
from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import TaskItem, Value
from beat_the_ai.store.batches import batched

FOLDER = "rescored"
OPTION = "--out"
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Past:
    """A work of the past, and the rules by which it is judged now as it was then."""

    id: str
    task_item: TaskItem
    work: Value
    writing: Writing[Any, Any, Any]


class Header(BaseModel):
    """The first line. `of` is what the works are from: a campaign, or the SHA-256 of a dataset's files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelIdentity
    of: str

    def __str__(self) -> str:
        of = f"the dataset {self.of[:8]}" if _DIGEST.fullmatch(self.of) else f"the campaign {self.of}"
        return f"answers of {self.model.label} to {of}"


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
        return self.model.label


def rescore(
    path: Path,
    of: str,
    works: Sequence[Past],
    model: Adversary[Any, Any],
    shown: Callable[[Iterable[Sequence[Past]], int], Iterable[Sequence[Past]]] = lambda batches, _: batches,
) -> Rescored:
    """Ask the model what it was not asked yet. `shown` gets the batches and how many works they are, for progress.

    What gets no answer in time, or none that can be read, is left out, and asked again. Raises `InvalidInput` for a
    file that is of something else, and `Refused` while another process writes to it; `AdversaryError` when the model
    fails and `Refused` when its budget is spent, which loses none of the answers that are paid for.
    """
    with growing_file(path, Header(model=model.identity, of=of), Verdict, OPTION) as file:
        known = {verdict.id for verdict in file.lines}
        missing = [past for past in works if past.id not in known]
        batches = shown(batched(missing, at_once(model)), len(missing))
        for batch, predictions in answered(model, batches, lambda past: past.writing.query(past.work, past.task_item)):
            pairs = zip(batch, predictions, strict=True)
            file.add([_verdict(past, given) for past, given in pairs if given is not None])
    return read_rescored(path)


def read_rescored(path: Path) -> Rescored:
    """Raises `InvalidInput` for a line that is not as `rescore` writes it; one that was cut off is none."""
    header, verdicts = read_growing_file(path, Header, Verdict, OPTION)
    return Rescored(header.model, header.of, {verdict.id: verdict for verdict in verdicts})


def is_rescored(path: Path) -> bool:
    """Return whether a file begins as `rescore` begins its files."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        Header.model_validate_json(first)
    except ValidationError:
        return False
    return True


def all_rescored(folder: Path) -> list[Rescored]:
    """Return the answers of every model that has answered there, in the order of the files' names."""
    files = sorted(folder.glob("*.jsonl"))
    return [read_rescored(path) for path in files if b"\n" in path.read_bytes()]  # or it died before its first line


def kept_answers(rescored: Iterable[Rescored]) -> list[KeptAnswers]:
    """Return the answers of each model as the kinds' reports read them."""
    return [
        KeptAnswers(each.model.name, each.label, {name: verdict.prediction for name, verdict in each.verdicts.items()})
        for each in rescored
    ]


def _verdict(past: Past, prediction: Value) -> Verdict:
    verdict = past.writing.judge(past.work, prediction, past.task_item)
    scores, said = (value.model_dump(mode="json") for value in (verdict.scores, prediction))
    return Verdict(id=past.id, fooled=verdict.fooled, scores=scores, prediction=said)
