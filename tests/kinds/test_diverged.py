"""A training whose loss, figures or weights are no numbers ends with an error, and hands over no model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")
pytest.importorskip("accelerate", reason="the extra 'train' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from safetensors.torch import load_file, save_file  # noqa: E402

from beat_the_ai.cli import main  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.backends.onnx import SHIPPED  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.export import export  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.network import TrainedReader  # noqa: E402
from beat_the_ai.networks import huggingface  # noqa: E402
from beat_the_ai.networks.divergence import Diverged  # noqa: E402
from beat_the_ai.networks.export import read_folder  # noqa: E402
from tests.kinds.nli.test_training import write_pairs  # noqa: E402
from tests.kinds.quizbowl.test_guessers import write_questions as write_quizbowl  # noqa: E402
from tests.kinds.reading_comprehension.test_training import write_questions  # noqa: E402
from tests.networks.tiny_bert import write_tiny_bert  # noqa: E402

COLOURS = ("red", "blue", "green", "black", "white", "pink")
LABELS: dict[str, Any] = {"id2label": {0: "entailment", 1: "neutral", 2: "contradiction"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("diverged")
    write_tiny_bert(folder / "reader", transformers.BertForQuestionAnswering)
    write_tiny_bert(folder / "classifier", transformers.BertForSequenceClassification, **LABELS)
    return folder


def train(folder: Path, task: str, start: str, out: Path, *options: str) -> Result:
    data = {
        "reading_comprehension": lambda: write_questions(folder / "questions.json", COLOURS),
        "nli": lambda: write_pairs(folder / "pairs.jsonl", range(12)),
        "quizbowl": lambda: write_quizbowl(folder / "quizbowl.jsonl", range(6)),
    }[task]()
    dev = folder / f"dev{data.suffix}"
    dev.write_text(data.read_text().replace("on Monday", "on Tuesday").replace("It ", "That "))
    given = ["--task", task, "--data", str(data), "--dev", str(dev), "--from", start.replace("FOLDER", str(folder))]
    options = ("--batch-size", "4", "--out", str(out), "--name", "model", *options)
    return CliRunner().invoke(main, ["train", *given, *options])


@pytest.mark.parametrize(
    ("task", "start"),
    [
        ("reading_comprehension", "onnx:bidaf-small"),
        ("nli", "onnx:cross-encoder-small"),
        ("quizbowl", "onnx:gru-small"),
        ("reading_comprehension", "huggingface:FOLDER/reader"),
        ("nli", "huggingface:FOLDER/classifier"),
    ],
)
def test_nothing_is_exported_or_replaced(task: str, start: str, folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "model" / "training.json"
    kept.parent.mkdir()
    kept.write_text("of the model before")
    refused = train(folder, task, start, tmp_path, "--learning-rate", "1e30", "--max-steps", "4")
    assert refused.exit_code == 1, refused.output
    assert "is no number" in refused.output
    assert "nothing was exported. Try a lower --learning-rate." in " ".join(refused.output.split())
    assert "Traceback" not in refused.output
    assert [path.name for path in kept.parent.iterdir()] == ["training.json"]
    assert kept.read_text() == "of the model before"


def test_a_learning_rate_that_diverges_is_passed_over(folder: Path, tmp_path: Path) -> None:
    rates = ("--learning-rate", "1e30", "--learning-rate", "1e-3")
    done = train(folder, "nli", "onnx:cross-encoder-small", tmp_path, *rates, "--max-steps", "1")
    assert done.exit_code == 0, done.output
    assert "learning rate 1e+30 is passed over" in done.output
    record = json.loads((tmp_path / "model" / "training.json").read_text())
    assert (record["learning_rate"], list(record["dev_accuracy"])) == (1e-3, ["0.001"])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e38])
def test_weights_that_are_no_numbers_are_not_exported(value: float, tmp_path: Path) -> None:
    """3e38 is a number, and its scale none in the half precision that is stored."""
    trained = read_folder(TrainedReader, SHIPPED / "bidaf-small")
    with torch.no_grad():
        trained.network.encoder.table.weight[5, 3] = value
    trained.save(tmp_path / "best.pt")
    with pytest.raises(Diverged, match="is no number: the training has diverged"):
        export(tmp_path / "best.pt", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_weights_of_transformers_that_are_no_numbers_are_not_exported(folder: Path, tmp_path: Path) -> None:
    weights = load_file(folder / "reader" / "model.safetensors")
    weights["qa_outputs.bias"][0] = float("nan")
    (tmp_path / "best").mkdir()
    save_file(weights, tmp_path / "best" / "model.safetensors")
    with pytest.raises(Diverged, match=r"qa_outputs\.bias is no number"):
        huggingface.export(tmp_path / "best", tmp_path / "model")
    assert not (tmp_path / "model").exists()
