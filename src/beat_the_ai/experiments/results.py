"""Results of the cells' answers: the scores of each example, by seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from beat_the_ai.experiments.cells import Cell
from beat_the_ai.experiments.matrix import TableName
from beat_the_ai.experiments.plan import Column, Line, Plan
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.statistics.multi_bootstrap import Runs


class Place(NamedTuple):
    """The place of figures in the tables."""

    table: TableName
    line: Line
    column: Column


class Results:
    """Read from the cells' folders once each; a cell that has not answered yet is left out."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[Path, Mapping[str, Runs]] = {}
        self._contexts: dict[Path, Sequence[str]] = {}

    def runs(self, line: Line, column: Column) -> dict[str, Runs]:
        """Return the runs by figure, (seeds, examples) in percent; nothing where no cell has answered."""
        marks = [found for cell in line.cells if (found := self._marks(cell, column))]
        return {figure: np.stack([each[figure] for each in marks]) for figure in (marks[0] if marks else ())}

    def contexts(self, column: Column) -> Sequence[str]:
        """Return the context of each example of which `runs` have figures."""
        return self._contexts[column.gold.path]

    def figures(self, plan: Plan) -> list[str]:
        """Their names, in the order of the kind; none before anything was answered."""
        return list(next(filter(None, (self.runs(line, column) for _, line, column in places(plan))), {}))

    def rows(self, plan: Plan) -> Iterator[dict[str, Any]]:
        """Every seed's figures, for programs."""
        for table, line, column in places(plan):
            for cell in line.cells:
                if marks := self._marks(cell, column):
                    yield {
                        "table": table,
                        "model": line.model,
                        "trained_on": line.trained_on,
                        "training_examples": sum(file.examples for file in cell.data),
                        "seed": cell.seed,
                        "measured_on": column.label,
                        "part": column.part,
                        "examples": column.gold.examples,
                        **{figure: round(float(values.mean()), 4) for figure, values in marks.items()},
                        "cell": cell.folder.name,
                    }

    def _marks(self, cell: Cell, column: Column) -> Mapping[str, Runs]:
        """Return the marks by figure, (examples,) in percent; nothing before the cell has answered."""
        path = cell.answers(column.gold.hash)
        if path not in self._known and path.is_file():
            answers = json.loads(path.read_text(encoding="utf-8"))
            measured = self._evaluation.measured(column.gold.path, answers)
            marks = measured.marks
            self._contexts[column.gold.path] = [item.context for item in measured.items]
            self._known[path] = {figure: 100 * np.array(list(values.values())) for figure, values in marks.items()}
        return self._known.get(path, {})


def places(plan: Plan) -> Iterator[Place]:
    for table in plan.tables:
        for each in table.measurements:
            for line in each.lines:
                for column in each.columns:
                    yield Place(table.name, line, column)
