"""A language model's answers to a command, kept as they arrive: the same command asks only for the missing ones.

The answers of a model lie in one file, `FOLDER/NAME-HASH-PRECISION.jsonl`, under the SHA-256 of each query. Repeatable
models without a price are asked again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from beat_the_ai.adversary.answers import STDERR, at_once
from beat_the_ai.adversary.budget import check_covered
from beat_the_ai.adversary.protocol import Adversary, Billed, ModelIdentity
from beat_the_ai.files.growing_file import GrowingFile, growing_file
from beat_the_ai.rules.protocol import Value

OPTION = "--kept"
HASH_DIGITS = 12
MOST_NAME_CHARS = 80


class Header(BaseModel):
    """The first line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelIdentity

    def __str__(self) -> str:
        return f"answers of {self.model.label}"


class KeptAnswer(BaseModel):
    """Any other line: `query` is the SHA-256 of what was asked, and the answer took so many seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str
    prediction: dict[str, Any]
    seconds: float


class KeptModel:
    """An adversary that is asked once for each query. `seconds` is how long its last answer took when it was given."""

    def __init__(self, model: Adversary[Any, Any], prediction_type: type[Value], file: GrowingFile[KeptAnswer]) -> None:
        self.identity, self.query_type = model.identity, model.query_type
        self.prices = model.prices if isinstance(model, Billed) else None
        self.microcents = 0
        self.seconds = 0.0
        self.reused = self.asked = 0
        self._model = model
        self._prediction_type = prediction_type
        self._file = file
        self._answers = {line.query: line for line in file.lines}

    def predict(self, queries: Sequence[Value]) -> list[Any]:
        """Raises as the model; what it answered before is kept."""
        self.microcents = 0
        return [self._predict(query) for query in queries]

    def check_covers(self, queries: Sequence[Value]) -> None:
        """Raise `Refused` where what is missing may cost more than is left of the budget."""
        check_covered(self._model, [query for query in queries if digest_of(query) not in self._answers])

    def _predict(self, query: Value) -> Any:
        digest = digest_of(query)
        if (known := self._answers.get(digest)) is not None:
            self.reused += 1
            self.seconds = known.seconds
            return self._prediction_type.model_validate(known.prediction)
        begun = time.perf_counter()
        try:
            [prediction] = self._model.predict([query])
        finally:
            self.asked += 1
            self.seconds = time.perf_counter() - begun
            self.microcents += self._model.microcents if isinstance(self._model, Billed) else 0
        answer = KeptAnswer(query=digest, prediction=prediction.model_dump(mode="json"), seconds=self.seconds)
        self._file.add([answer])
        self._answers[digest] = answer
        return prediction


@contextmanager
def keeping(
    model: Adversary[Any, Any], prediction_type: type[Value], folder: Path | None
) -> Iterator[Adversary[Any, Any]]:
    """Keep what a language model answers in the folder, and say so in the end. Other models are left as they are."""
    if folder is None or at_once(model) > 1:
        yield model
        return
    path = answers_path(folder, model.identity)
    with growing_file(path, Header(model=model.identity), KeptAnswer, OPTION) as file:
        kept = KeptModel(model, prediction_type, file)
        try:
            yield kept
        finally:
            STDERR.print(
                f"{model.identity.name}: {kept.asked:,} questions asked, {kept.reused:,} answered before. Answers are "
                f"kept in {path}: the same command asks only for what is missing.",
                soft_wrap=True,
                highlight=False,
            )


def answers_path(folder: Path, model: ModelIdentity) -> Path:
    """Return where a model's answers lie in `folder`. What a server says of its model is no path."""
    name = f"{model.name[:MOST_NAME_CHARS]}-{model.hash[:HASH_DIGITS]}-{model.precision[:MOST_NAME_CHARS]}"
    return folder / ("".join(char if char.isalnum() or char in "-._" else "-" for char in name) + ".jsonl")


def digest_of(query: Value) -> str:
    """Return the SHA-256 (hex) under which the answer to a query is kept."""
    return hashlib.sha256(query.model_dump_json().encode()).hexdigest()
