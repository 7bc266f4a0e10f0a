"""Estimates of the time and cost of the missing cells, before anything is begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from beat_the_ai.experiments.cells import Cell
from beat_the_ai.experiments.matrix import ModelSettings, Scalar, name_of
from beat_the_ai.experiments.plan import Line, Plan
from beat_the_ai.statistics.section import Section, Table

SECONDS_PER_HOUR = 3600


@dataclass(frozen=True)
class Estimate:
    """The estimate of one model's cells. `seconds` is wall-clock time on one device, None where there is no basis."""

    model: str
    cells: int
    done: int
    seconds: float | None
    basis: str
    price: float | None
    currency: str


def estimates(plan: Plan) -> list[Estimate]:
    return [_estimate(name, model, plan) for name, model in plan.matrix.models.items()]


def _estimate(name: str, model: ModelSettings, plan: Plan) -> Estimate:
    cells = [cell for cell in plan.cells.values() if cell.model == name]
    waiting = [cell for cell in cells if cell.missing]
    seconds, basis = _seconds(model, cells, waiting, _examples(plan))
    throughput = model.throughput
    hourly = None if throughput is None else throughput.hourly_price
    price = None if seconds is None or hourly is None else seconds / SECONDS_PER_HOUR * hourly
    currency = "" if throughput is None else throughput.currency
    return Estimate(name, len(cells), len(cells) - len(waiting), seconds, basis, price, currency)


def _examples(plan: Plan) -> dict[str, int]:
    """The sizes of all files that are measured on, by their hashes."""
    columns = [column for table in plan.tables for each in table.measurements for column in each.columns]
    return {column.gold.hash: column.gold.examples for column in columns}


def _seconds(
    model: ModelSettings, cells: Sequence[Cell], waiting: Sequence[Cell], examples: dict[str, int]
) -> tuple[float | None, str]:
    """Return the estimated seconds and their basis. Measured times take precedence over those in the matrix."""
    training = [cell for cell in waiting if cell.trained is None and cell.job.model is None]
    throughput = model.throughput
    answering = (
        0.0
        if throughput is None
        else sum(examples[gold] for cell in waiting for gold in cell.missing) / throughput.answering
        + throughput.startup_seconds * len(waiting)
    )
    measured = [cell.trained.seconds for cell in cells if cell.trained is not None]
    if not waiting:
        return 0.0, "all is done"
    if measured:
        return len(training) * fmean(measured) + answering, f"the mean of {len(measured)} trainings here"
    if throughput is not None:
        each = [_training_seconds(model.train, cell, throughput.training) for cell in training]
        if None in each:
            return None, "epochs, minutes, or max-steps with batch-size are not among its options"
        return sum(filter(None, each)) + answering, f"{throughput.device}: {throughput.source}"
    if "minutes" in model.train:
        return len(training) * _number(model.train["minutes"]) * 60, "its minutes, without starting and answering"
    return None, "no throughput is given, and nothing was trained yet"


def _training_seconds(options: dict[str, Scalar | tuple[Scalar, ...]], cell: Cell, rate: float) -> float | None:
    """Return the seconds of training by epochs or steps, and never more than its minutes."""
    found = []
    if "epochs" in options:
        found.append(_number(options["epochs"]) * sum(file.examples for file in cell.data) / rate)
    if "max-steps" in options and "batch-size" in options:
        found.append(_number(options["max-steps"]) * _number(options["batch-size"]) / rate)
    if "minutes" in options:
        found.append(_number(options["minutes"]) * 60)
    return min(found, default=None)


def _number(value: Scalar | tuple[Scalar, ...]) -> float:
    return float(value[-1] if isinstance(value, tuple) else value)


def cost_section(plan: Plan) -> Section:
    """For people: what there is to do, and what it is about to take."""
    rows, found = [], estimates(plan)
    for each in found:
        price = "" if each.price is None else f"{each.currency} {each.price:,.2f}"
        rows.append([each.model, str(each.cells), str(each.done), _hours(each.seconds), price, each.basis])
    header = ["model", "cells", "done before", "device hours to come", "price", "estimated by"]
    return Section("What is to be done", "Hours are of one device, one cell after the other.", Table(header, rows))


def _hours(seconds: float | None) -> str:
    return "unknown" if seconds is None else f"{seconds / SECONDS_PER_HOUR:,.2f}"


def cells_section(plan: Plan) -> Section:
    """Return the section of cells: a line for each way of training, with its seeds."""
    lines: dict[tuple[Path, ...], tuple[Line, list[str]]] = {}
    for table in plan.tables:
        for each in table.measurements:
            for line in (*each.lines, each.reference):
                folders = tuple(cell.folder for cell in line.cells)
                if folders:
                    lines.setdefault(folders, (line, []))[1].append(name_of(table.name))
    rows = []
    for folders, (line, numbers) in lines.items():
        cells = [plan.cells[folder] for folder in folders]
        done = [cell for cell in cells if not cell.missing]
        waiting = [cell for cell in cells if cell.missing]
        examples = sum(file.examples for file in cells[0].data)
        tables = ", ".join(dict.fromkeys(numbers))
        rows.append([line.model, line.trained_on, f"{examples:,}", tables, _seeds(done), _seeds(waiting)])
    header = ["model", "trained on", "examples", "tables", "seeds done before", "seeds to do"]
    return Section("Cells", "What was done before is not done again.", Table(header, rows))


def _seeds(cells: Sequence[Cell]) -> str:
    return ", ".join("as it is" if cell.seed is None else str(cell.seed) for cell in cells)
