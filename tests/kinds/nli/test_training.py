"""The command that trains, as a process of its own, from a stand-in for the package with the pretrained weights."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.backends import onnx as backend
from beat_the_ai.kinds.nli.backends.onnx import SHIPPED
from beat_the_ai.kinds.nli.cross_encoder.network import TrainedClassifier
from beat_the_ai.kinds.nli.labels import LABELS, Pair
from beat_the_ai.kinds.nli.training import train
from beat_the_ai.networks.export import read_folder
from beat_the_ai.networks.onnx_folder import hash_of

SMALL = "onnx:cross-encoder-small"
RUN = "import sys; from beat_the_ai.kinds.nli.training import train; train.main(sys.argv[1:])"

Start = Callable[..., subprocess.Popen[str]]


def write_pairs(path: Path, numbers: range) -> Path:
    rows = [
        {"premise": f"It is day {'x' * number}.", "hypothesis": f"It is {label}.", "label": label}
        for number in numbers
        for label in (*LABELS, "-")
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture
def start() -> Iterator[Start]:
    with ExitStack() as running:

        def started(*arguments: str) -> subprocess.Popen[str]:
            process = subprocess.Popen([sys.executable, "-c", RUN, *arguments], stderr=subprocess.PIPE, text=True)
            running.enter_context(process)
            running.callback(process.kill)
            return process

        yield started


@pytest.mark.timeout(1500)
def test_an_ensemble_is_trained_from_weighted_files(start: Start, tmp_path: Path) -> None:
    data, more = write_pairs(tmp_path / "a.jsonl", range(30)), write_pairs(tmp_path / "b=2.jsonl", range(30, 50))
    corpora = ["--data", f"{data}=2.5", "--data", str(more)]
    options = ["--from", SMALL, "--epochs", "0.2", "--seed", "3", "--seed", "4"]
    process = start(*corpora, *options, "--out", str(tmp_path / "out"))
    _, shown = process.communicate(timeout=600)
    assert process.returncode == 0, shown
    assert f"{data}: 90 pairs (30 without a label left out), 2.5 times an epoch" in shown
    assert f"{more}: 60 pairs (20 without a label left out), 1 times an epoch" in shown
    found = [backend.load(str(tmp_path / "out" / f"cross-encoder-{seed}"), LoadOptions()) for seed in (3, 4)]
    assert [model.identity.name for model in found] == ["cross-encoder-3", "cross-encoder-4"]
    pair = Pair(premise="It is day.", hypothesis="It is neutral.")
    assert found[0].predict([pair]) != found[1].predict([pair])


@pytest.mark.timeout(1500)
def test_ctrl_c_ends_a_run_that_goes_on_later(start: Start, tmp_path: Path) -> None:
    data = write_pairs(tmp_path / "a.jsonl", range(30))
    arguments = ["--data", str(data), "--from", SMALL, "--out", str(tmp_path / "out"), "--epochs", "1000"]
    process = start(*arguments)
    assert process.stderr is not None
    assert "90 pairs" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=600)
    assert (process.returncode, shown.splitlines()[-1]) == (130, "Stopped; the same command goes on.")
    process = start(*arguments, "--minutes", "0.0001")
    _, shown = process.communicate(timeout=600)
    assert process.returncode == 0, shown
    assert (tmp_path / "out" / "cross-encoder" / "model.onnx").is_file()


def test_training_goes_on_from_a_model_and_keeps_the_best_of_several_learning_rates(tmp_path: Path) -> None:
    """Without the package of the pretrained weights."""
    data, dev = write_pairs(tmp_path / "a.jsonl", range(6)), write_pairs(tmp_path / "dev.jsonl", range(6, 9))
    arguments = ["--data", str(data), "--dev", str(dev), "--from", SMALL, "--epochs", "2"]
    rates = ["--learning-rate", "1e-9", "--learning-rate", "0.001"]
    done = CliRunner().invoke(train, [*arguments, *rates, "--out", str(tmp_path / "out"), "--name", "next"])
    assert done.exit_code == 0, done.output
    record = json.loads((tmp_path / "out" / "next" / "training.json").read_text())
    assert record["from"] == {"model": "cross-encoder-small", "hash": hash_of(SHIPPED / "cross-encoder-small")}
    assert record["learning_rate"] == 0.001
    assert record["dev_loss"]["0.001"] < record["dev_loss"]["1e-09"]
    unchanged = TrainedClassifier.load(tmp_path / "out" / "next.run" / "1e-09" / "best.pt").network
    start = read_folder(TrainedClassifier, SHIPPED / "cross-encoder-small").network
    for name, weights in start.state_dict().items():
        assert (unchanged.state_dict()[name] - weights).abs().max() < 1e-6, name

    again = ["--from", f"onnx:{tmp_path / 'out' / 'next'}", "--hypothesis-only"]
    refused = CliRunner().invoke(train, ["--data", str(data), *again, "--out", str(tmp_path / "blind")])
    assert isinstance(refused.exception, InvalidInput)
    assert "reads the premise. Leave out --hypothesis-only." in str(refused.exception)


@pytest.mark.parametrize(
    ("source", "told"),
    [("bidaf:x", "allowed are onnx:NAME, onnx:FOLDER, huggingface:FOLDER"), ("onnx:nothing", "Unknown model")],
)
def test_what_training_cannot_go_on_from_is_refused(source: str, told: str, tmp_path: Path) -> None:
    data = write_pairs(tmp_path / "a.jsonl", range(3))
    refused = CliRunner().invoke(train, ["--data", str(data), "--from", source, "--out", str(tmp_path / "out")])
    assert refused.exit_code != 0
    assert told in f"{refused.output}{refused.exception}"


@pytest.mark.parametrize("weight", ["0", "-1", "a", "nan", "inf"])
def test_a_weight_that_is_no_positive_number_is_refused(tmp_path: Path, weight: str) -> None:
    data = write_pairs(tmp_path / "a.jsonl", range(3))
    shown = CliRunner().invoke(train, ["--data", f"{data}={weight}", "--out", str(tmp_path)])
    assert shown.exit_code == 2
    assert f"The weight '{weight}' is no number between 0 and 1000." in shown.output


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    shown = CliRunner().invoke(train, ["--data", "nowhere.jsonl", "--out", str(tmp_path)])
    assert shown.exit_code == 2
    assert "'nowhere.jsonl' does not exist" in shown.output
