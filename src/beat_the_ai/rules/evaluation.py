"""The interface of measuring models of a kind of task, outside of any campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from beat_the_ai.rules.protocol import Value


@dataclass(frozen=True)
class Scores:
    """`figures` by their names, for programs; `words` says the same to people, in lines."""

    figures: Mapping[str, float]
    words: Sequence[str]


class Evaluation(Protocol):
    """A file of gold answers is in the kind's usual format; predictions are `{id: answer}`."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Value]]:
        """Return the queries to a model, by id, in the order of the file. Raises `InvalidInput`."""

    def answer(self, prediction: Any) -> Any:
        """Return the JSON that stands for a prediction in a file."""

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        """The figures of a paper's table by their names there: of each example, 0 to 1, by id, in the file's order.

        Their means are those of `scores`. Raises as `scores`.
        """

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        """Return the scores of answers as `answer` gives them; a missing answer is wrong. Raises `InvalidInput`."""
