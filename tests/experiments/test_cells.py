"""By what a cell is known."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from beat_the_ai.experiments.cells import folder_name

TASK = {"task": "nli"}


def name(*arguments: object, **contents: str) -> str:
    return folder_name(TASK, [str(argument) for argument in arguments], contents)


def test_files_count_by_their_contents_wherever_they_lie(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_text("the same")
    other.write_text("the same")
    same = name("--data", one)
    assert name("--data", other) == same
    other.write_text("another")
    assert name("--data", other) != same
    assert name("--data", "gone", gone="hash") == name("--data", "moved", moved="hash") != name("--data", "gone")


def test_a_model_to_go_on_from_counts_by_the_files_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    (folder / "inside").mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "inside" / "weights").write_bytes(b"1")
    copy = shutil.copytree(folder, tmp_path / "copy")
    same = name("--from", f"huggingface:{folder}")
    assert name("--from", f"huggingface:{copy}") == same
    assert name("--from", f"onnx:{copy}") != same
    (copy / "inside" / "weights").write_bytes(b"2")
    assert name("--from", f"huggingface:{copy}") != same
    (copy / "inside" / "weights").rename(copy / "weights")
    assert len({name("--from", f"huggingface:{each}") for each in (folder, copy, "a/hub-id")}) == 3


@pytest.mark.parametrize("arguments", [["--seed", "1"], ["--seed=0"], ["--seed"], ["0", "--seed"], []])
def test_any_other_argument_makes_another_cell(arguments: list[str]) -> None:
    assert name(*arguments) != name("--seed", "0")
    assert folder_name({"task": "other"}, ["--seed", "0"], {}) != name("--seed", "0")
