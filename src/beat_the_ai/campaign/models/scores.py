"""The scores of a campaign's models on each frozen round: the table by which the next adversary is chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import sha256_of
from beat_the_ai.files.kept import KeptFile
from beat_the_ai.statistics.figure import decimals, with_interval
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.locate import ROUNDS


@dataclass(frozen=True)
class Score:
    """A model on a gold file; the first of `figures` is the one to compare by, and the mean of `marks`.

    `gold` names it: ROUND/PART, or the file where it is nobody's round. Both hashes are SHA-256. `marks` has a number
    from 0 to 1 for each example, in the order of the file; scores of older versions have none.
    """

    model: str
    model_hash: str
    gold: str
    gold_hash: str
    figures: Mapping[str, float]
    marks: Sequence[float] = ()

    @property
    def headline(self) -> tuple[str, float]:
        return next(iter(self.figures.items()))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95% interval, where the examples have more than one context; older scores may have none."""
        name, _ = self.headline
        low, high = (self.figures.get(f"{name}_{end}") for end in ("low", "high"))
        return None if low is None or high is None else (low, high)

    @property
    def cell(self) -> str:
        """Return the first figure with its interval, for a table."""
        _, value = self.headline
        return with_interval(value, self.interval, decimals(1))


_KEPT = KeptFile(
    "scores.json",
    TypeAdapter(list[Score]),
    "scores",
    "Bring it back from a backup, or remove it: `beat-the-ai round evaluate` measures everything again.",
)


class ModelScores:
    """The scores of one campaign, kept in a file: each measurement is made once.

    Raises `InvalidInput` for a file that cannot be read.
    """

    def __init__(self, out: Path) -> None:
        self._folder = out / ROUNDS
        self._scores = _KEPT.read(self._folder) or []

    def measure(
        self,
        model: str,
        model_hash: str,
        golds: Mapping[str, Path],
        measured: Callable[[Path], tuple[Mapping[str, float], Sequence[float]]],
    ) -> None:
        """Keep the figures and marks of a model on each gold file on which it has none yet.

        The same weights under another name have the same ones.
        """
        for gold, path in golds.items():
            gold_hash = sha256_of(path, "--gold")
            known = (model_hash, gold_hash)
            same = [each for each in self._scores if (each.model_hash, each.gold_hash, each.gold) == (*known, gold)]
            with_marks = [each for each in same if each.marks]
            if any(each.model == model for each in with_marks):
                continue
            figures, marks = (with_marks[0].figures, with_marks[0].marks) if with_marks else measured(path)
            self._scores.append(Score(model, model_hash, gold, gold_hash, dict(figures), list(marks)))
            _KEPT.write(self._folder, self._scores)

    def table(self) -> dict[str, dict[str, Score]]:
        """Return `{model: {gold: score}}`, in the order in which they were measured."""
        found: dict[str, dict[str, Score]] = {}
        for each in self._scores:
            found.setdefault(each.model, {})[each.gold] = each
        return found

    def marks(self, model: str, golds: Sequence[str]) -> list[float]:
        """Return the marks of a model on these gold files, one behind the other.

        Raises `InvalidInput` where it was not measured on one of them, or on another content than other models.
        """
        row = self.table().get(model, {})
        for gold in golds:
            if gold not in row or not row[gold].marks or row[gold].gold_hash != self._last_hash(gold):
                known = ", ".join(row) or "nothing"
                raise InvalidInput(
                    "--by",
                    f"{model} has no marks on {gold!r} as it is now; it was measured on: {known}. Measure all models: "
                    "beat-the-ai round evaluate --out OUT (--gold FILE for a file of no round).",
                )
        return [mark for gold in golds for mark in row[gold].marks]

    def _last_hash(self, gold: str) -> str | None:
        return next((each.gold_hash for each in reversed(self._scores) if each.gold == gold), None)


def scores_sections(scores: ModelScores) -> list[Section]:
    """Return models by rounds, for a report; nothing before anything was measured."""
    rows = scores.table()
    if not rows:
        return []
    golds = list(dict.fromkeys(gold for row in rows.values() for gold in row))
    [figure] = {each.headline[0] for row in rows.values() for each in row.values()}
    cells = [
        (re.split("[:/#]", model)[-1], *(row[gold].cell if gold in row else "–" for gold in golds))
        for model, row in rows.items()
    ]
    text = (
        f"The {figure} of every round's models on the parts of every frozen round, in %, with 95% intervals (over "
        "whole contexts where examples share them). The parts of a round hold what its model got wrong: there it has "
        "little or none."
    )
    return [Section("Models by rounds", text, Table(("model", *golds), cells), source="Results")]
