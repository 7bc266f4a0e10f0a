"""The exported files as tables."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

PARTS = ("train", "dev", "test")
EXCLUSIVE = "test_exclusive"


def table(path: Path) -> pd.DataFrame:
    """Return JSON Lines as a table; what is null is None, and records stay records."""
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    return pd.DataFrame(rows, dtype=object)


@dataclass(frozen=True)
class Rescored:
    """A model that has answered again. `answers` have columns `fooled` and `prediction`, by the works' ids."""

    name: str
    hash: str
    precision: str
    answers: pd.DataFrame

    @classmethod
    def read(cls, path: Path) -> Rescored:
        first, *lines = map(json.loads, path.read_text("utf-8").splitlines())
        model, answers = first["model"], pd.DataFrame(lines, columns=["id", "fooled", "prediction"], dtype=object)
        return cls(model["name"], model["hash"], model["precision"], answers.set_index("id"))

    @property
    def label(self) -> str:
        return f"{self.name} ({self.hash[:8]}, {self.precision})"


@dataclass(frozen=True)
class Export:
    """The files of an export. `attempts` also has columns `counted_votes`, `in_part`, `judged`, `is_trial`."""

    folder: Path
    attempts: pd.DataFrame
    votes: pd.DataFrame
    assignments: pd.DataFrame
    examples: dict[str, pd.DataFrame]
    card: str
    rescored: list[Rescored]
    edits: list[dict[str, Any]]

    @classmethod
    def read(cls, folder: Path) -> Export:
        attempts = table(folder / "attempts.jsonl")
        attempts["counted_votes"] = [[one for one in said if one["counts"]] for said in attempts["votes"]]
        attempts["in_part"] = attempts["part"].notna()
        attempts["judged"] = attempts["in_part"] & ~attempts["retracted"].astype(bool)
        # Shares of checked work are taken before writers are discarded for what others say of their work.
        by_votes = (attempts["dropped"] == "discarded") & (attempts["discarded_by"] == "votes")
        attempts["is_trial"] = attempts["judged"] | (by_votes & ~attempts["retracted"].astype(bool))
        return cls(
            folder,
            attempts,
            table(folder / "votes.jsonl"),
            table(folder / "assignments.jsonl"),
            {part: table(folder / "jsonl" / f"{part}.jsonl") for part in PARTS},
            (folder / "README.md").read_text("utf-8"),
            [Rescored.read(path) for path in sorted((folder / "rescored").glob("*.jsonl"))],
            table(folder / "edits.jsonl").to_dict("records") if (folder / "edits.jsonl").exists() else [],
        )

    @property
    def kept(self) -> pd.DataFrame:
        """The attempts in the dataset."""
        return self.attempts[self.attempts["dropped"].isna()]

    def part(self, name: str) -> pd.DataFrame:
        """The attempts of a part, or those of test by exclusive writers, dropped or not."""
        return self._of(name, self.attempts[self.attempts["in_part"]], "part")

    def checked(self, name: str) -> pd.DataFrame:
        """The attempts that anybody has checked, by the part of their contexts."""
        return self._of(name, self.attempts[self.attempts["validation"].notna()], "context_part")

    @staticmethod
    def _of(name: str, rows: pd.DataFrame, column: str) -> pd.DataFrame:
        return rows[rows["exclusive"].astype(bool)] if name == EXCLUSIVE else rows[rows[column] == name]

    @cached_property
    def shown_parts(self) -> list[str]:
        return [*PARTS, *([EXCLUSIVE] if len(self.part(EXCLUSIVE)) else [])]

    def stage(self, name: str) -> pd.DataFrame:
        """The assignments of a stage that count, those of discarded workers too."""
        mine = self.assignments[self.assignments["stage"] == name]
        return mine[mine["dropped"].isna() | (mine["dropped"] == "discarded")]

    def fact(self, name: str) -> str:
        """Return what the card says of a fact about the collection."""
        [found] = re.findall(rf"^- {re.escape(name)}: (.*)$", self.card, re.MULTILINE)
        return str(found)

    @property
    def seed(self) -> int:
        return int(self.fact("seed"))


def is_true(column: Any) -> pd.Series:
    """Return a column of true, false and nothing as true or not."""
    return pd.Series([each is True for each in column], index=column.index, dtype=bool)
