"""A matrix planned by the sizes that a paper names, for an estimate before its files are there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from beat_the_ai.experiments.datasets import DataFile, Datasets
from beat_the_ai.experiments.matrix import EQUAL, TRAIN, Matrix
from beat_the_ai.experiments.plan import Plan, plan
from beat_the_ai.replication.targets import Data


def missing_files(matrix: Matrix, source: Path) -> dict[str, list[str]]:
    """Return the files of each dataset that are not in the folder, as the matrix names them."""
    named = {
        name: [*(one for each in files.files.values() for one in each), *(files.split.files if files.split else ())]
        for name, files in matrix.datasets.items()
    }
    missing = {name: [one for one in files if not (source / one).is_file()] for name, files in named.items()}
    return {name: files for name, files in missing.items() if files}


def planned_by_sizes(matrix: Matrix, data: Mapping[str, Data], out: Path) -> Plan | None:
    """Return the plan by the sizes of the paper; None where one is unknown."""
    sizes = {name: data[name].examples if name in data else {} for name in matrix.datasets}
    if any(not of.parts <= sizes[name].keys() for name, of in matrix.datasets.items()):
        return None
    files = {
        name: {part: _stand_in(f"{name}/{part}", sizes[name][part]) for part in sorted(of.parts)}
        for name, of in matrix.datasets.items()
    }
    trained = [name for name, of in matrix.datasets.items() if TRAIN in of.parts]
    smallest = matrix.size or min(sizes[name][TRAIN] for name in trained)
    equal = {name: _stand_in(f"{name}/{TRAIN}-equal", smallest) for name in trained if EQUAL in matrix.tables}
    return plan(matrix, Datasets(files, equal, {}), out)


def _stand_in(name: str, examples: int) -> DataFile:
    """Return a file that is not there: its name stands for the hash of its content."""
    return DataFile(Path(name), name, examples)
