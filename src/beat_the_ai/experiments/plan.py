"""From a matrix to its tables, and to the cells that fill them. A cell that several tables need is there once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.experiments.cells import Cell, Job, folder_name, training_arguments
from beat_the_ai.experiments.datasets import DataFile, Datasets
from beat_the_ai.experiments.matrix import (
    ADDED,
    ALL,
    CONSISTENCY,
    DEV,
    EQUAL,
    TEST,
    TRAIN,
    Matrix,
    ModelSettings,
    Scalar,
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
    """`number` is the paper's."""

    number: int
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
    fill = {CONSISTENCY: planner.consistency, EQUAL: planner.equal, ADDED: planner.added, ALL: planner.all_together}
    tables = tuple(Table(number, tuple(fill[number]())) for number in sorted(set(matrix.tables)))
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

    def _column(self, dataset: str, part: str) -> Column:
        return Column(dataset, self.matrix.label(dataset), part, self.datasets.files[dataset][part])

    def _base_first(self, files: Mapping[str, DataFile]) -> list[tuple[str, DataFile]]:
        return sorted(files.items(), key=lambda item: item[0] != self.matrix.base)

    def _base(self, model: str) -> Line:
        return self._together(model, [])

    def _together(self, model: str, others: Sequence[str]) -> Line:
        names = [self.matrix.base, *others]
        return self._line(model, " + ".join(map(self.matrix.label, names)), [self.training[name] for name in names])

    def _line(self, model: str, label: str, data: Sequence[DataFile]) -> Line:
        return Line(model, label, tuple(self._cell(model, tuple(data), seed) for seed in self.matrix.seeds))

    def _cell(self, name: str, data: tuple[DataFile, ...], seed: int) -> Cell:
        model = self.matrix.models[name]
        files = [("--data", file) for file in data]
        base = self.datasets.files[self.matrix.base]
        if self.takes_dev and DEV in base:
            files.append(("--dev", base[DEV]))
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
