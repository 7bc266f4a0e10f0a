"""A matrix of the project's own network, trained on from the one that ships, in processes as a user's."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from tests.experiments.matrices import run, write_matrix
from tests.kinds.reading_comprehension.favourites import write_favourites

SEED = "0"


def test_it_is_trained_on_each_dataset_and_measured_on_each(tmp_path: Path) -> None:
    datasets = {}
    for place in ("here", "there"):
        for part, passages in (("train", range(16)), ("test", range(100, 102))):
            write_favourites(tmp_path / f"{place}-{part}.json", place, passages)
        datasets[place] = {part: f"{place}-{part}.json" for part in ("train", "test")}
    settings = {
        "task": "reading_comprehension",
        "datasets": datasets,
        "base": "here",
        "size": 32,
        "same_contexts": False,
        "models": {"bidaf": {"train": {"max-steps": 1, "from": "onnx:bidaf-small"}}},
        "seeds": [int(SEED)],
        "tables": [7],
    }
    out = tmp_path / "out"
    result = run(write_matrix(tmp_path / "matrix.yaml", settings), out)
    logs = "".join(log.read_text() for log in out.glob("cells/*/log.txt"))
    assert result.exit_code == 0, result.output + logs
    with (out / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["trained_on"], row["measured_on"], row["seed"]) for row in rows} == {
        (trained, measured, SEED) for trained in ("here", "here + there") for measured in ("here", "there")
    }
    assert all(float(row["EM"]) <= float(row["F1"]) <= 100 for row in rows)
    assert logs.count("1 steps  loss") == 2
