"""Training, checkpoint, export and both backends, end to end, from a stand-in for the pretrained weights."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.corpora import Corpus  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.backends import bidaf as torch_backend  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.backends import onnx as onnx_backend  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.export import export  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.features import batch, encode  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.network import TrainedReader  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.train import TrainConfig, train  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.writing import Query  # noqa: E402
from beat_the_ai.networks import pretrained  # noqa: E402
from beat_the_ai.networks.checkpoint import outputs_of  # noqa: E402
from beat_the_ai.networks.onnx_folder import session  # noqa: E402
from beat_the_ai.networks.packing import packed  # noqa: E402
from beat_the_ai.networks.progress import Look, Trained  # noqa: E402
from tests.kinds.reading_comprehension.favourites import COLOURS, write_favourites  # noqa: E402
from tests.networks.looks import Looks  # noqa: E402
from tests.networks.stand_in import write_pretrained  # noqa: E402

PIECES = [
    *"abcdefghijklmnopqrstuvwxyz.?",
    *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"),
    "日",
    "[unused0]",
]
ALLOWANCE_SECONDS = 60.0  # of a busy machine, for one step and two looks
STEPS = 4


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pretrained")
    write_pretrained(folder, PIECES)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight articles of one passage with four questions."""
    path = tmp_path_factory.mktemp("data") / "squad.json"
    write_favourites(path, "This is", range(8))
    return path


@pytest.fixture(scope="module")
def config(source: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainConfig:
    return TrainConfig(
        data=(Corpus(data),),
        out=tmp_path_factory.mktemp("run"),
        extra=(data,),
        max_steps=STEPS,
        pretrained=source,
        layers=1,
        width=16,
        batch_size=8,
        warmup_steps=2,
        held_out_share=0.2,
        check_steps=1,
    )


@pytest.fixture(scope="module")
def pinned(source: Path) -> Any:
    digest = hashlib.sha256((source / "model.safetensors").read_bytes()).hexdigest()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrained, "SHA256", digest)
        yield


@pytest.fixture(scope="module")
def reports() -> list[Look]:
    return []


@pytest.fixture(scope="module")
def trained(config: TrainConfig, pinned: None, reports: list[Look]) -> Trained:
    result = train(config, Looks(reports))
    assert result is not None
    return result


@pytest.fixture(scope="module")
def folder(trained: Trained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(trained.weights, tmp_path_factory.mktemp("exported") / "tiny")


def weights(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = TrainedReader.load(path).network.state_dict()
    return found


def test_a_run_reports_how_it_goes(trained: Trained, reports: list[Look]) -> None:
    assert [report.step for report in reports] == list(range(1, STEPS + 1))
    assert reports[-1].done == 1
    assert trained.best in reports
    assert trained.best.figures["f1"] == max(report.figures["f1"] for report in reports)


def test_the_same_seed_gives_the_same_weights(config: TrainConfig, trained: Trained, tmp_path: Path) -> None:
    again = train(replace(config, out=tmp_path))
    assert again is not None
    assert again.best == trained.best
    for name, value in weights(again.weights).items():
        assert value.equal(weights(trained.weights)[name]), name


@pytest.mark.parametrize("asked", [1, 4])
def test_a_run_that_was_stopped_goes_on_as_if_it_was_not(
    config: TrainConfig, trained: Trained, reports: list[Look], tmp_path: Path, asked: int
) -> None:
    answers, seen = iter([False] * (asked - 1) + [True]), list[Look]()
    here = replace(config, out=tmp_path)
    assert train(here, Looks(seen, lambda: next(answers))) is None
    result = train(here, Looks(seen))
    assert result is not None
    assert seen == reports
    for name, value in weights(result.weights).items():
        assert value.equal(weights(trained.weights)[name]), name


def test_a_run_with_other_settings_data_or_start_does_not_go_on(
    config: TrainConfig, trained: Trained, data: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text(data.read_text().replace("red", "tan"))
    changes: list[tuple[str, dict[str, Any]]] = [
        (r"seed \(0, now 3\)", {"seed": 3}),
        (r"max_steps \(4, now 5\)", {"max_steps": 5}),
        ("data", {"data": (Corpus(other),)}),
        ("data", {"data": (Corpus(data, 0.5),)}),
        ("extra", {"extra": ()}),
    ]
    for difference, change in changes:
        with pytest.raises(InvalidInput, match=rf"differs in {difference}\..* To begin anew, choose another --name"):
            train(replace(config, **change))
    assert train(replace(config, minutes=9.0, threads=1)) == trained  # it has ended; these change nothing


class Timed(Looks):
    """Notes when a run begins."""

    began: float | None = None

    def stopped(self) -> bool:
        self.began = self.began or time.monotonic()
        return False


def test_minutes_are_those_of_steps_and_looks(config: TrainConfig, pinned: None, tmp_path: Path) -> None:
    looks: list[Look] = []
    timed = Timed(looks)
    assert train(replace(config, out=tmp_path, max_steps=None, epochs=1e6, minutes=0.05), timed) is not None
    assert timed.began is not None
    assert time.monotonic() - timed.began < 3 + ALLOWANCE_SECONDS
    assert timed.steps[0].step == 1
    [saved] = tmp_path.rglob("last.pt")
    assert looks[-1].step == torch.load(saved, weights_only=True)["state"]["step"]


def test_training_goes_on_from_an_exported_model(config: TrainConfig, folder: Path, tmp_path: Path) -> None:
    result = train(replace(config, start=folder, learning_rate=1e-9, encoder_learning_rate=1e-9, out=tmp_path))
    assert result is not None
    again = export(result.weights, tmp_path / "further", like=folder)
    queries = [
        Query(context="Ben likes blue. Dan likes black.", question=f"What does {name} like?") for name in COLOURS
    ]
    before, after = (onnx_backend.load(str(model), LoadOptions()).predict(queries) for model in (folder, again))
    assert [said.text for said in before] == [said.text for said in after]


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
    with pytest.raises(InvalidInput, match="too few questions with an answer"):
        train(replace(config, data=(Corpus(path),), out=tmp_path))


def test_the_exported_network_computes_what_torch_computes(trained: Trained, folder: Path) -> None:
    loaded = TrainedReader.load(trained.weights)
    run = session(folder / "model.onnx", threads=1, outputs=("start", "end"))
    texts = ["Ada likes red. Ben likes blue.", "Cleo likes green, " * 40]
    questions = ["What does Ada like?", "Who?", "What, pray, does Cleo like?"]
    arrays = batch(
        [encode(text, loaded.vocabulary) for text in texts],
        [encode(text, loaded.vocabulary) for text in questions],
        [0, 0, 1],
    )
    for network in (packed(loaded.network), loaded.network):
        expected = outputs_of(network)(arrays)
        exact = network is not loaded.network  # the others lack the 8-bit rounding
        for got, wanted in zip(run(arrays), expected, strict=True):
            np.testing.assert_allclose(got, wanted, atol=2e-4 if exact else 0.1, rtol=1e-4 if exact else 0.1)


def test_both_backends_give_the_same_answers(trained: Trained, folder: Path) -> None:
    queries = [
        Query(context="Ben likes blue. 🐺 Dan likes black.", question=f"What does {name} like?") for name in COLOURS
    ]
    shipped = onnx_backend.load(str(folder), LoadOptions())
    raw = torch_backend.load(str(trained.weights), LoadOptions())
    assert shipped.identity.name == "tiny"
    assert raw.identity.hash != shipped.identity.hash
    for left, right in zip(shipped.predict(queries), raw.predict(queries), strict=True):
        assert left.text == right.text
        assert left.score == pytest.approx(right.score, abs=0.05)


@pytest.mark.parametrize("options", [LoadOptions(device="tpu"), LoadOptions(precision="int8")])
def test_what_the_torch_backend_cannot_do_is_refused(trained: Trained, options: LoadOptions) -> None:
    with pytest.raises(InvalidInput, match="Allowed"):
        torch_backend.load(str(trained.weights), options)


def test_a_checkpoint_that_is_not_there_is_refused() -> None:
    with pytest.raises(AdversaryError, match="no such file"):
        torch_backend.load("nowhere.pt", LoadOptions())
