"""Models measured as they are: a cell each, as a matrix has them, so that nothing is answered twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from beat_the_ai.dataset.files import sha256
from beat_the_ai.errors import AdversaryError
from beat_the_ai.experiments.cells import LOG_FILE, Cell, Job, folder_name
from beat_the_ai.experiments.matrix import Answering
from beat_the_ai.experiments.runners import here
from beat_the_ai.replication.compare import Key, Ours, mean_of
from beat_the_ai.replication.targets import EvaluationRun
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.registry import bind


def missing_golds(run: EvaluationRun, source: Path) -> dict[str, list[str]]:
    """Return the files that are not in the folder, by the rows that they are for."""
    return {row: [name] for row, name in run.golds.items() if not (source / name).is_file()}


def cells_of(run: EvaluationRun, source: Path, out: Path) -> dict[str, Cell]:
    """Return a cell for each model, by the published column."""
    golds = {sha256(source / name): str(source / name) for name in run.golds.values()}
    cells = {}
    for column, spec in run.models.items():
        job = Job(task=run.task, arguments=None, model=spec, answering=Answering(), keep_model=True, golds=golds)
        cells[column] = Cell(out / folder_name({"task": run.task}, [spec], {}), column, None, (), job)
    return cells


def figures_of_evaluation(run: EvaluationRun, source: Path, out: Path) -> dict[str, Mapping[Key, Ours]]:
    """Let the models answer what they have not answered yet, and return our figures in percent."""
    cells = cells_of(run, source, out)
    waiting = [cell for cell in cells.values() if cell.missing]
    for cell in waiting:
        cell.write_job()
    for cell, status in here(1)(waiting):
        if status:
            raise AdversaryError(f"{cell.job.model} did not answer; see {cell.folder / LOG_FILE}.")
    evaluation = bind(run.task).evaluation
    assert evaluation is not None, "the kinds of the catalogue are measured"
    found: dict[Key, Ours] = {}
    for column, cell in cells.items():
        for row, name in run.golds.items():
            found[(row,), column] = _figure(run, evaluation, cell, source / name)
    return {run.table: found}


def _figure(run: EvaluationRun, evaluation: Evaluation, cell: Cell, gold: Path) -> Ours:
    answers = json.loads(cell.answers(sha256(gold)).read_text(encoding="utf-8"))
    measured = evaluation.measured(gold, answers)
    runs = 100 * np.array([list(measured.marks[run.figure].values())])
    return mean_of(runs, [item.context for item in measured.items])
