"""How each model of a campaign does on each frozen round: the table by which the next adversary is chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from beat_the_ai.campaign.frozen_rounds import FOLDER, FrozenRound
from beat_the_ai.dataset.files import sha256, write_text
from beat_the_ai.dataset.parts import DEV, TRAIN
from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.statistics.section import Section, Table

FILE = "scores.json"


@dataclass(frozen=True)
class Score:
    """A model on a gold file; the first of `figures` is the one to compare by.

    `gold` names it: ROUND/PART, or the file where it is nobody's round. Both hashes are SHA-256.
    """

    model: str
    model_hash: str
    gold: str
    gold_hash: str
    figures: Mapping[str, float]

    @property
    def headline(self) -> tuple[str, float]:
        return next(iter(self.figures.items()))

    @property
    def interval(self) -> tuple[float, float] | None:
        """95%, where the kind of task gives one."""
        name, _ = self.headline
        low, high = (self.figures.get(f"{name}_{end}") for end in ("low", "high"))
        return None if low is None or high is None else (low, high)

    @property
    def cell(self) -> str:
        """For a table."""
        _, value = self.headline
        within = self.interval
        return f"{value:.1f}" if within is None else f"{value:.1f} ({within[0]:.1f} to {within[1]:.1f})"


def gold_files(rounds: Sequence[FrozenRound], others: Sequence[Path] = ()) -> dict[str, Path]:
    """What models are measured on: the parts of each round that are not for training and hold anything, and others."""
    parts = {
        f"{each.number}/{part}": each.path(part)
        for each in rounds
        for part, file in each.parts.items()
        if part != TRAIN and file.examples
    }
    return parts | {str(path): path for path in others}


_SCORES = TypeAdapter(list[Score])


class ModelScores:
    """Those of one campaign, kept in a file: what was measured once is not measured again.

    Raises `InvalidInput` for a file that cannot be read.
    """

    def __init__(self, out: Path) -> None:
        self._path = out / FOLDER / FILE
        self._scores = _read(self._path) if self._path.is_file() else []

    def measure(
        self,
        model: str,
        model_hash: str,
        golds: Mapping[str, Path],
        figures: Callable[[Path], Mapping[str, float]],
    ) -> None:
        for gold, path in golds.items():
            gold_hash = sha256(path)
            known = (model_hash, gold_hash)
            if any((each.model_hash, each.gold_hash) == known and each.gold == gold for each in self._scores):
                continue
            self._scores.append(Score(model, model_hash, gold, gold_hash, dict(figures(path))))
            write_text(self._path, json.dumps([asdict(each) for each in self._scores], indent=2) + "\n")

    def table(self) -> dict[str, dict[str, Score]]:
        """`{model: {gold: score}}`, in the order in which they were measured."""
        found: dict[str, dict[str, Score]] = {}
        for each in self._scores:
            found.setdefault(each.model, {})[each.gold] = each
        return found

    def best(self, gold: str) -> Score:
        """The model with the highest figure there; of equals the one that was measured first."""
        scores = [scores[gold] for scores in self.table().values() if gold in scores]
        if not scores:
            known = sorted({each.gold for each in self._scores}) or ["nothing yet: run `round evaluate`"]
            raise InvalidInput("--by", f"Nothing was measured on {gold!r}. There is: {', '.join(known)}.")
        return max(scores, key=lambda each: each.headline[1])


def _read(path: Path) -> list[Score]:
    try:
        return _SCORES.validate_json(path.read_bytes())
    except ValidationError as error:
        fault = first_fault(error, "the whole file")
        raise InvalidInput(
            "--out",
            f"{path} is damaged ({fault.place}: {fault.reason}). Bring it back from a backup, or remove it: "
            "`beat-the-ai round evaluate` measures everything again.",
        ) from None


def deciding_part(rounds: Sequence[FrozenRound]) -> str:
    """The development part of the last round that has one: the paper chooses by A1's ("Round 2")."""
    for each in reversed(rounds):
        if each.parts[DEV].examples:
            return f"{each.number}/{DEV}"
    raise InvalidInput("--by", "No frozen round has development examples: name what to choose by.")


def scores_sections(scores: ModelScores) -> list[Section]:
    """For a report: models by rounds. Nothing before anything was measured."""
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
        f"The {figure} of every round's models on the parts of every frozen round, in %, with 95% intervals where the "
        "kind of task has them. The parts of a round hold what its model got wrong: there it has little or none."
    )
    return [Section("Models by rounds", text, Table(("model", *golds), cells), source="Results")]
