"""From a matrix to its tables, and to the cells that fill them. A cell that several tables need is there once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.experiments.cells import Cell, Job, folder_name, training_arguments
from beat_the_ai.experiments.datasets import DataFile, Datasets
from beat_the_ai.experiments.matrix import (
    ADDED,
    ALL,
    BLIND,
    CONSISTENCY,
    DEV,
    EQUAL,
    MIXES,
    STRESS,
    TEST,
    TRAIN,
    Matrix,
    ModelSettings,
    Scalar,
    TableName,
    kind_of,
    options_of,
    training_command,
)

CELLS = "cells"


@dataclass(frozen=True)
class Column:
    """The file that models are measured on. `label` is the dataset's."""

    dataset: str
    label: str
    part: str
    gold: DataFile


@dataclass(frozen=True)
class Line:
    """A way of training, as a line of a table has it: a cell for each seed, or that of a model in the loop, if any."""

    model: str
    trained_on: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Measurement:
    """Lines that are measured on the same columns, each compared with the `reference`, which may be among them."""

    lines: tuple[Line, ...]
    columns: tuple[Column, ...]
    reference: Line


@dataclass(frozen=True)
class Table:
    """`name` is the paper's number, or what a table without one shows."""

    name: TableName
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class Plan:
    """`cells` by their own folders, which lie in `folder`; each knows all that it is to be measured on."""

    matrix: Matrix
    folder: Path
    tables: tuple[Table, ...]
    cells: dict[Path, Cell]


def plan(matrix: Matrix, datasets: Datasets, out: Path) -> Plan:
    planner = _Planner(matrix, datasets, out / CELLS)
    fill: dict[TableName, Callable[[], Iterator[Measurement]]] = {
        **{CONSISTENCY: planner.consistency, EQUAL: planner.equal, ADDED: planner.added, ALL: planner.all_together},
        **{MIXES: planner.mixed, BLIND: planner.blind, STRESS: planner.stress},
    }
    tables = tuple(Table(name, tuple(fill[name]())) for name in matrix.filled)
    cells: dict[Path, Cell] = {}
    for table in tables:
        for each in table.measurements:
            for cell in (cell for line in (*each.lines, each.reference) for cell in line.cells):
                for column in each.columns:
                    cells[cell.folder] = cells.get(cell.folder, cell).measured_on(column.gold)
    return Plan(matrix, out / CELLS, tables, cells)


def check_trainings(plan: Plan) -> None:
    """Raise `InvalidInput` for a model whose training could not begin on this machine.

    Its options are read as `train` reads them: packages and models that they need are there.
    """
    command = training_command(kind_of(plan.matrix))
    waiting = [cell for cell in plan.cells.values() if cell.missing and cell.job.model is None]
    for name, cell in {cell.model: cell for cell in waiting}.items():
        try:
            command.make_context("train", training_arguments(cell.folder, cell.job))
        except (BeatTheAIError, click.ClickException) as error:
            reason = error.format_message() if isinstance(error, click.ClickException) else error
            raise InvalidInput(
                "models", f"models.{name} cannot be trained here; nothing was begun. {reason}"
            ) from error


class _Planner:
    def __init__(self, matrix: Matrix, datasets: Datasets, folder: Path) -> None:
        self.matrix, self.datasets, self.folder = matrix, datasets, folder
        self.kind = kind_of(matrix)
        self.takes_dev = "dev" in options_of(training_command(self.kind))
        self.training = {name: files[TRAIN] for name, files in datasets.files.items() if TRAIN in files}
        self.tests = tuple(self._column(name, TEST) for name in matrix.measured)
        self.stress_tests = tuple(self._column(name, TEST) for name in matrix.stress_tests)

    def consistency(self) -> Iterator[Measurement]:
        """Table 5: a model in the loop trained again, and both measured on what was written against it."""
        for name, model in self.matrix.models.items():
            for dataset, spec in model.original.items():
                original = Line(name, "original", () if spec is None else (self._original(name, model, spec),))
                again = self._base(name)
                parts = [part for part in (DEV, TEST) if part in self.datasets.files[dataset]]
                columns = tuple(self._column(dataset, part) for part in parts)
                yield Measurement((original, again), columns, original)

    def equal(self) -> Iterator[Measurement]:
        """Table 6: each set alone, all of one size."""
        for name in self.matrix.models:
            lines = [
                self._line(name, f"{self.matrix.label(dataset)} ({file.examples:,})", [file])
                for dataset, file in self._base_first(self.datasets.equal)
            ]
            yield Measurement(tuple(lines), self.tests, lines[0])

    def added(self) -> Iterator[Measurement]:
        """Table 7: the base, and each of the others with it."""
        for name in self.matrix.models:
            lines = [self._base(name), *(self._together(name, [other]) for other in self.matrix.others)]
            yield Measurement(tuple(lines), self.tests, lines[0])

    def all_together(self) -> Iterator[Measurement]:
        """Table 8: the base and all of the others."""
        for name in self.matrix.models:
            yield Measurement((self._together(name, self.matrix.others),), self.tests, self._base(name))

    def mixed(self) -> Iterator[Measurement]:
        """Each model on each mix."""
        return self._on_mixes(self.tests)

    def stress(self) -> Iterator[Measurement]:
        """The same on stress tests."""
        return self._on_mixes(self.stress_tests)

    def _on_mixes(self, columns: tuple[Column, ...]) -> Iterator[Measurement]:
        for name, model in self.matrix.models.items():
            lines = [] if model.is_blind else [self._mix(name, mix) for mix in self.matrix.mixes_of(name)]
            if lines:
                yield Measurement(tuple(lines), columns, lines[0])

    def blind(self) -> Iterator[Measurement]:
        """Each model that is trained on hypotheses alone, and the one that is trained on whole pairs, by mixes."""
        for name, model in self.matrix.models.items():
            for mix in self.matrix.mixes_of(name) if model.is_blind else ():
                reference = self._mix(model.beside, mix)
                yield Measurement((reference, self._mix(name, mix)), self.tests, reference)

    def _column(self, dataset: str, part: str) -> Column:
        return Column(dataset, self.matrix.label(dataset), part, self.datasets.files[dataset][part])

    def _base_first(self, files: Mapping[str, DataFile]) -> list[tuple[str, DataFile]]:
        return sorted(files.items(), key=lambda item: item[0] != self.matrix.base)

    def _base(self, model: str) -> Line:
        return self._together(model, [])

    def _together(self, model: str, others: Sequence[str]) -> Line:
        names = [self.matrix.base, *others]
        return self._line(model, " + ".join(map(self.matrix.label, names)), [self.training[name] for name in names])

    def _mix(self, model: str, mix: str) -> Line:
        """Trained on a mix; the dev parts of its datasets decide when to stop, unless `tuned_on` names another."""
        names = self.matrix.mixes[mix]
        return self._line(model, mix, [self.training[name] for name in names], names)

    def _line(self, model: str, label: str, data: Sequence[DataFile], trained_on: Sequence[str] = ()) -> Line:
        stopped_by = [self.matrix.tuned_on] if self.matrix.tuned_on else trained_on or [self.matrix.base]
        files = [self.datasets.files[name] for name in stopped_by]
        dev = tuple(of[DEV] for of in files if DEV in of)
        return Line(model, label, tuple(self._cell(model, tuple(data), dev, seed) for seed in self.matrix.seeds))

    def _cell(self, name: str, data: tuple[DataFile, ...], dev: tuple[DataFile, ...], seed: int) -> Cell:
        model = self.matrix.models[name]
        files = [("--data", file) for file in data]
        files += [("--dev", file) for file in dev if self.takes_dev]
        arguments = [word for option, file in files for word in (option, str(file.path))]
        arguments += [*option_words(model), "--seed", str(seed)]
        contents = {str(file.path): file.hash for _, file in files}
        folder = self.folder / folder_name({"task": self.kind.name}, arguments, contents)
        return Cell(folder, name, seed, data, self._job(model, arguments=arguments))

    def _original(self, name: str, model: ModelSettings, spec: str) -> Cell:
        folder = self.folder / folder_name({"task": self.kind.name}, [spec], {})
        return Cell(folder, name, None, (), self._job(model, spec=spec))

    def _job(self, model: ModelSettings, *, arguments: list[str] | None = None, spec: str | None = None) -> Job:
        return Job(
            task=self.matrix.task,
            arguments=arguments,
            model=spec,
            answering=model.answering,
            keep_model=self.matrix.keep_models,
            golds={},
        )


def option_words(model: ModelSettings) -> list[str]:
    """Its options as words of a command line, in the order of their names."""
    words: list[str] = []
    for option, value in sorted(model.train.items()):
        values: tuple[Scalar, ...] = value if isinstance(value, tuple) else (value,)
        for each in values:
            if each is True:
                words.append(f"--{option}")
            elif each is not False:
                words += [f"--{option}", str(each)]
    return words
