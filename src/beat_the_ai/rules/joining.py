"""Pairs of gold and answers, joined by unique ids. Missing and foreign ids are reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.values import check_unique

ExampleT = TypeVar("ExampleT")
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Joined(Generic[ExampleT, AnswerT]):
    """The examples of a gold file by id, in its order, each with its answer or None.

    `called` are the examples; `foreign` counts the answers of ids that the file does not have.
    """

    of: Sequence[tuple[str, ExampleT, AnswerT | None]]
    called: str
    foreign: int

    @property
    def missing(self) -> int:
        return sum(answer is None for _, _, answer in self.of)

    @property
    def words(self) -> list[str]:
        """Return the warnings that belong beside a figure."""
        words = []
        if self.missing:
            words.append(f"{self.missing:,} {self.called} have no prediction and count as wrong.")
        if self.foreign:
            words.append(f"{self.foreign:,} predictions have an id that is not in the gold file, and are left out.")
        return words


def join(
    gold: Path,
    examples: Iterable[tuple[str, ExampleT]],
    answers: Mapping[str, Any],
    read: Callable[[str, Any], AnswerT | None],
    called: str,
    left_out: Collection[str] = (),
) -> Joined[ExampleT, AnswerT]:
    """Join examples by id with their answers, as `read` reads one of that id. `left_out` are ids that are not measured.

    Raises `InvalidInput` for a file without examples, for ids that are not unique, where no answer has one of
    them, and where ids are numbers from 1 in one and from 0 in the other.
    """
    named = list(examples)
    ids = [name for name, _ in named]
    if not ids:
        raise InvalidInput("GOLD", f"{gold} holds no {called} to measure on; at least one is needed.")
    check_unique(ids, gold, "GOLD", called)
    known = set(ids)
    foreign = [name for name in answers if name not in known and name not in left_out]
    if answers and known.isdisjoint(answers):
        raise InvalidInput(
            "PREDICTIONS",
            f"None of the {len(answers):,} predictions has an id of {gold}. Its ids are such as {_shown(ids)}, theirs "
            f"such as {_shown(list(answers))}. Give the predictions for this file.",
        )
    numbers = known.union(left_out)
    if foreign == ["0"] and not answers.keys() >= numbers and all(map(str.isdecimal, numbers)):
        raise InvalidInput(
            "PREDICTIONS",
            f"The predictions are numbered from 0, and {gold} from 1: which belong together is not certain. Give both "
            "the same ids.",
        )
    joined = [(name, example, read(name, answers[name]) if name in answers else None) for name, example in named]
    return Joined(joined, called, len(foreign))


def _shown(ids: Sequence[str]) -> str:
    return ", ".join(repr(name[:40]) for name in ids[:3])
