"""Training, checkpoint, export and both backends, end to end, from a stand-in for the pretrained weights."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.backends import bidaf as torch_backend  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.backends import onnx as onnx_backend  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf import checkpoint  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.export import ExportConfig, export  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.features import batch, encode  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.train import Progress, TrainConfig, TrainResult, train  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.writing import Query  # noqa: E402
from beat_the_ai.networks import pretrained  # noqa: E402
from beat_the_ai.networks.onnx_folder import session  # noqa: E402
from beat_the_ai.networks.packing import packed  # noqa: E402
from tests.networks.stand_in import write_pretrained  # noqa: E402

PIECES = [
    *"abcdefghijklmnopqrstuvwxyz.?",
    *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"),
    "日",
    "[unused0]",
]
COLOURS = {"Ada": "red", "Ben": "blue", "Cleo": "green", "Dan": "black"}
STEPS = 4


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pretrained")
    write_pretrained(folder, PIECES)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight articles of one passage with four questions."""
    articles = []
    for number in range(8):
        text = " ".join(f"{name} likes {colour}." for name, colour in COLOURS.items()) + f" This is {number}."
        questions = [
            {
                "id": f"{number}-{name}",
                "question": f"What does {name} like?",
                "answers": [{"text": colour, "answer_start": text.index(colour)}],
            }
            for name, colour in COLOURS.items()
        ]
        articles.append({"title": f"Article {number}", "paragraphs": [{"context": text, "qas": questions}]})
    path = tmp_path_factory.mktemp("data") / "squad.json"
    path.write_text(json.dumps({"data": articles}))
    return path


@pytest.fixture(scope="module")
def config(source: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainConfig:
    return TrainConfig(
        data=(data,),
        out=tmp_path_factory.mktemp("run"),
        extra=(data,),
        max_steps=STEPS,
        pretrained=source,
        layers=1,
        width=16,
        questions_per_batch=8,
        warmup_steps=2,
        held_out_share=0.2,
        save_every_minutes=0.0,
    )


@pytest.fixture(scope="module")
def pinned(source: Path) -> Any:
    digest = hashlib.sha256((source / "model.safetensors").read_bytes()).hexdigest()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrained, "SHA256", digest)
        yield


@pytest.fixture(scope="module")
def reports() -> list[Progress]:
    return []


@pytest.fixture(scope="module")
def trained(config: TrainConfig, pinned: None, reports: list[Progress]) -> TrainResult:
    return train(config, reports.append)


@pytest.fixture(scope="module")
def folder(trained: TrainResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(ExportConfig(trained.checkpoint, tmp_path_factory.mktemp("exported") / "tiny", name="tiny"))


def weights(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = checkpoint.load(path).network.state_dict()
    return found


def test_a_run_reports_how_it_goes(trained: TrainResult, reports: list[Progress]) -> None:
    assert [report.step for report in reports] == list(range(1, STEPS + 1))
    assert reports[-1].done == 1
    assert trained.best in reports
    assert trained.best.held_out_f1 == max(report.held_out_f1 for report in reports)


def test_the_same_seed_gives_the_same_weights(config: TrainConfig, trained: TrainResult, tmp_path: Path) -> None:
    again = train(replace(config, out=tmp_path))
    assert again.best == trained.best
    for name, value in weights(again.checkpoint).items():
        assert value.equal(weights(trained.checkpoint)[name]), name


def test_a_run_that_was_cut_off_goes_on(config: TrainConfig, trained: TrainResult, tmp_path: Path) -> None:
    class CutOff(Exception):
        pass

    def cut_off(report: Progress) -> None:
        if report.step == STEPS // 2:
            raise CutOff

    with pytest.raises(CutOff):
        train(replace(config, out=tmp_path), cut_off)
    reports: list[Progress] = []
    train(replace(config, out=tmp_path), reports.append)
    assert [report.step for report in reports] == list(range(STEPS // 2 + 1, STEPS + 1))


def test_the_vocabulary_has_only_pieces_worth_keeping(source: Path) -> None:
    vocabulary, rows = pretrained.vocabulary(source)
    assert vocabulary.pieces == ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *PIECES[:-2])
    assert rows == list(range(len(vocabulary)))


def test_pretrained_weights_that_are_not_the_expected_ones_are_refused(pinned: None, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"something else")
    with pytest.raises(AdversaryError, match="SHA-256"):
        pretrained.load_tensors(path)


def test_files_without_questions_are_refused(config: TrainConfig, pinned: None, tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text('{"data": []}')
    with pytest.raises(InvalidInput, match="no question"):
        train(replace(config, data=(path,), out=tmp_path))


def test_the_exported_network_computes_what_torch_computes(trained: TrainResult, folder: Path) -> None:
    loaded = checkpoint.load(trained.checkpoint)
    run = session(folder / "model.onnx", threads=1, outputs=("start", "end"))
    texts = ["Ada likes red. Ben likes blue.", "Cleo likes green, " * 40]
    questions = ["What does Ada like?", "Who?", "What, pray, does Cleo like?"]
    arrays = batch(
        [encode(text, loaded.vocabulary) for text in texts],
        [encode(text, loaded.vocabulary) for text in questions],
        [0, 0, 1],
    )
    for network in (packed(loaded.network), loaded.network):
        expected = checkpoint.logits(network)(arrays)
        exact = network is not loaded.network  # the others lack the 8-bit rounding
        for got, wanted in zip(run(arrays), expected, strict=True):
            np.testing.assert_allclose(got, wanted, atol=2e-4 if exact else 0.1, rtol=1e-4 if exact else 0.1)


def test_both_backends_give_the_same_answers(trained: TrainResult, folder: Path) -> None:
    queries = [
        Query(context="Ben likes blue. 🐺 Dan likes black.", question=f"What does {name} like?") for name in COLOURS
    ]
    shipped = onnx_backend.load(str(folder), LoadOptions())
    raw = torch_backend.load(str(trained.checkpoint), LoadOptions())
    assert shipped.identity.name == "tiny"
    assert raw.identity.hash != shipped.identity.hash
    for left, right in zip(shipped.predict(queries), raw.predict(queries), strict=True):
        assert left.text == right.text
        assert left.score == pytest.approx(right.score, abs=0.05)


@pytest.mark.parametrize("options", [LoadOptions(device="tpu"), LoadOptions(precision="int8")])
def test_what_the_torch_backend_cannot_do_is_refused(trained: TrainResult, options: LoadOptions) -> None:
    with pytest.raises(InvalidInput, match="Allowed"):
        torch_backend.load(str(trained.checkpoint), options)


def test_a_checkpoint_that_is_not_there_is_refused() -> None:
    with pytest.raises(AdversaryError, match="no such file"):
        torch_backend.load("nowhere.pt", LoadOptions())
