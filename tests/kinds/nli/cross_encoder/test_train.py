"""Training, checkpoint, export and the ONNX backend, end to end, from a stand-in for the pretrained weights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.corpora import Corpus  # noqa: E402
from beat_the_ai.kinds.nli.backends import onnx as backend  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.classifier import Classifier  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.export import export  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.features import batch, encode  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.network import TrainedClassifier  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.train import TrainConfig, train  # noqa: E402
from beat_the_ai.kinds.nli.labels import Pair  # noqa: E402
from beat_the_ai.networks import pretrained  # noqa: E402
from beat_the_ai.networks.calibration import TEMPERATURES  # noqa: E402
from beat_the_ai.networks.checkpoint import outputs_of  # noqa: E402
from beat_the_ai.networks.onnx_folder import session  # noqa: E402
from beat_the_ai.networks.packing import packed  # noqa: E402
from beat_the_ai.networks.progress import Look, Trained  # noqa: E402
from tests.networks.looks import Looks  # noqa: E402
from tests.networks.stand_in import write_pretrained  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = [*LETTERS, ".", *(f"##{letter}" for letter in LETTERS)]
STEPS = 6


def write_pairs(path: Path, names: str) -> Path:
    """Whoever likes a colour likes that one, not another, and of animals nothing is known."""
    rows = []
    for name, colour in product(names.split(), ("red", "blue", "green", "black")):
        other = "blue" if colour == "red" else "red"
        said = {"entailment": f"{name} likes {colour}.", "contradiction": f"{name} likes {other} alone."}
        rows += [
            {"premise": f"{name} likes {colour} alone.", "hypothesis": hypothesis, "label": label}
            for label, hypothesis in {**said, "neutral": f"{name} likes cats."}.items()
        ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("data")
    names = {"train": "Ada Ben Cleo Dan", "more": "Eve", "dev": "Fay Gus"}
    return {part: write_pairs(folder / f"{part}.jsonl", names[part]) for part in names}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("pretrained")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrained, "SHA256", write_pretrained(folder, PIECES))
        yield folder


@pytest.fixture(scope="module")
def config(source: Path, files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> TrainConfig:
    return TrainConfig(
        data=(Corpus(files["train"]), Corpus(files["more"], 0.5)),
        dev=(files["dev"],),
        out=tmp_path_factory.mktemp("run"),
        epochs=STEPS / 4,  # of 48 + 6 pairs
        pretrained=source,
        layers=1,
        table_width=32,
        width=16,
        batch_size=16,
        warmup_steps=2,
        check_steps=2,
    )


@pytest.fixture(scope="module")
def reports() -> list[Look]:
    return []


@pytest.fixture(scope="module")
def trained(config: TrainConfig, reports: list[Look]) -> Trained:
    result = train(config, Looks(reports))
    assert result is not None
    return result


@pytest.fixture(scope="module")
def folder(trained: Trained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(trained.weights, tmp_path_factory.mktemp("exported") / "tiny")


def weights(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = TrainedClassifier.load(path).network.state_dict()
    return found


def assert_same_weights(left: Path, right: Path) -> None:
    others = weights(right)
    for name, value in weights(left).items():
        assert value.equal(others[name]), name


def test_a_run_reports_how_it_goes_and_gives_its_best(trained: Trained, reports: list[Look]) -> None:
    assert [report.step for report in reports] == [2, 4, 6]
    assert reports[-1].done == 1
    assert trained.best.figures["accuracy"] == max(report.figures["accuracy"] for report in reports)
    assert TrainedClassifier.load(trained.weights).temperature in TEMPERATURES
    assert 0 <= trained.best.figures["calibration_error"] <= 1


def test_a_seed_decides_the_weights(config: TrainConfig, trained: Trained, tmp_path: Path) -> None:
    again = train(replace(config, out=tmp_path / "again"))
    assert again == replace(trained, weights=tmp_path / "again" / "best.pt")
    assert_same_weights(again.weights, trained.weights)
    another = train(replace(config, out=tmp_path / "another", seed=1))
    assert another is not None
    assert not weights(another.weights)["classify.weight"].equal(weights(trained.weights)["classify.weight"])


@pytest.mark.parametrize("asked", [1, 4])
def test_a_run_that_was_stopped_goes_on_as_if_it_was_not(
    config: TrainConfig, trained: Trained, reports: list[Look], tmp_path: Path, asked: int
) -> None:
    answers = iter([False] * (asked - 1) + [True])
    here = replace(config, out=tmp_path)
    seen: list[Look] = []
    assert train(here, Looks(seen, lambda: next(answers))) is None
    result = train(here, Looks(seen))
    assert result is not None
    assert [(one.step, one.loss, one.figures["loss"]) for one in seen] == [
        (one.step, one.loss, one.figures["loss"]) for one in reports
    ]
    assert_same_weights(result.weights, trained.weights)
    assert train(here, Looks(seen)) == result  # it has ended
    assert len(seen) == len(reports)


def test_a_step_that_no_memory_holds_is_told_with_what_to_do(
    config: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object) -> Any:
        raise torch.OutOfMemoryError

    monkeypatch.setattr(torch.Tensor, "backward", exhausted)
    with pytest.raises(AdversaryError, match="a smaller --batch-size"):
        train(replace(config, out=tmp_path))


def test_a_run_ends_early_when_the_dev_part_gets_no_better(config: TrainConfig, tmp_path: Path) -> None:
    seen: list[Look] = []
    train(replace(config, out=tmp_path, epochs=100, learning_rate=0, encoder_learning_rate=0, patience=2), Looks(seen))
    assert [one.step for one in seen] == [2, 4, 6]


def test_a_run_ends_when_its_time_is_up(config: TrainConfig, tmp_path: Path) -> None:
    seen: list[Look] = []
    assert train(replace(config, out=tmp_path, minutes=1e-9), Looks(seen)) is not None
    assert [one.step for one in seen] == [1]


def test_another_run_does_not_go_on_in_its_place(config: TrainConfig, trained: Trained) -> None:
    with pytest.raises(
        InvalidInput, match=r"another run, which differs in seed \(0, now 9\), hypothesis_only \(false, now true\)\."
    ):
        train(replace(config, seed=9, hypothesis_only=True))


def test_without_a_dev_part_premises_are_held_out(config: TrainConfig, tmp_path: Path) -> None:
    seen: list[Look] = []
    assert train(replace(config, out=tmp_path, dev=(), held_out_share=0.2, epochs=0.5), Looks(seen)) is not None
    assert 0 <= seen[-1].figures["accuracy"] <= 100
    with pytest.raises(InvalidInput, match="too few pairs"):
        train(replace(config, out=tmp_path / "none", dev=(), held_out_share=0))


def test_training_pairs_that_are_in_a_part_kept_apart_are_refused(
    config: TrainConfig, files: dict[str, Path], tmp_path: Path
) -> None:
    more = (files["more"],)
    for wrong in (replace(config, out=tmp_path, dev=more), replace(config, out=tmp_path, apart=more)):
        with pytest.raises(InvalidInput, match=r"12 pairs of .*more\.jsonl are also in .*more\.jsonl"):
            train(wrong)


def test_the_hypothesis_only_one_says_the_same_whatever_the_premise(config: TrainConfig, tmp_path: Path) -> None:
    result = train(replace(config, out=tmp_path, hypothesis_only=True, epochs=0.5))
    assert result is not None
    model = backend.load(str(export(result.weights, tmp_path / "blind")), LoadOptions())
    queries = [Pair(premise=premise, hypothesis="Ada likes red.") for premise in ("", "Ada likes blue.", "x " * 500)]
    assert len({str(said) for said in model.predict(queries)}) == 1


def test_the_exported_network_computes_what_torch_computes(trained: Trained, folder: Path) -> None:
    loaded = TrainedClassifier.load(trained.weights)
    run = session(folder / "model.onnx", threads=1, outputs=("logits",))
    texts = [("Ada likes red.", "Ada likes blue."), ("Cleo likes green, " * 60, "Who? 🐺"), ("", "")]
    first, second = ([encode(pair[side], loaded.vocabulary) for pair in texts] for side in (0, 1))
    arrays = batch(first, second, loaded.vocabulary)
    np.testing.assert_allclose(run(arrays)[0], outputs_of(packed(loaded.network))(arrays)[0], atol=1e-4)
    np.testing.assert_allclose(run(arrays)[0], outputs_of(loaded.network)(arrays)[0], atol=0.05)  # 8-bit rounding


def test_the_backend_gives_the_classifiers_probabilities(trained: Trained, folder: Path) -> None:
    model = backend.load(str(folder), LoadOptions())
    assert (model.identity.name, model.identity.task) == ("tiny", "nli")
    loaded = TrainedClassifier.load(trained.weights)
    torch_classifier = Classifier(loaded.vocabulary, outputs_of(loaded.network), loaded.temperature)
    queries = [Pair(premise="Ben likes blue. 🐺", hypothesis=f"{name} likes blue.") for name in ("Ada", "Ben")]
    for left, right in zip(model.predict(queries), torch_classifier.predict(queries), strict=True):
        assert left.probabilities.model_dump() == pytest.approx(right.probabilities.model_dump(), abs=0.02)
