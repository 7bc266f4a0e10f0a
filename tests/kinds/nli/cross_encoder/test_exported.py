"""Networks that are read back from the folder that ships."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
onnx = pytest.importorskip("onnx", reason="exporting needs the packages of the development install")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.kinds.nli.backends import onnx as backend  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.export import export  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.network import TrainedClassifier  # noqa: E402
from beat_the_ai.kinds.nli.labels import Pair  # noqa: E402
from beat_the_ai.networks.export import read_folder  # noqa: E402
from beat_the_ai.networks.packing import packed, stored_weights, write_like  # noqa: E402
from tests.kinds.nli.premises import PREMISES  # noqa: E402

SHIPPED = backend.SHIPPED / "cross-encoder-small"


def test_what_is_read_is_stored_as_the_same_bits_again() -> None:
    stored = {
        initialiser.name: onnx.numpy_helper.to_array(initialiser)
        for initialiser in onnx.load(SHIPPED / "model.onnx").graph.initializer
    }
    again = packed(read_folder(TrainedClassifier, SHIPPED).network).state_dict()
    assert again.keys() == stored.keys()
    for name, values in again.items():
        assert np.array_equal(values.numpy(), stored[name]), name


@pytest.mark.parametrize("like", [None, SHIPPED])
def test_an_export_of_what_is_read_answers_the_same(tmp_path: Path, like: Path | None) -> None:
    read_folder(TrainedClassifier, SHIPPED).save(tmp_path / "read.pt")
    folder = export(tmp_path / "read.pt", tmp_path / "again", like)
    pairs = [
        Pair(premise=context.text, hypothesis=each["text"])
        for context in PREMISES
        for each in context.private["hypotheses"]
    ]
    first, again = (backend.load(str(source), LoadOptions()).predict(pairs) for source in (SHIPPED, folder))
    assert again == first


def test_a_model_has_the_name_of_its_folder_which_any_editor_can_read(tmp_path: Path) -> None:
    read_folder(TrainedClassifier, SHIPPED).save(tmp_path / "read.pt")
    config = (export(tmp_path / "read.pt", tmp_path / "modèle", SHIPPED) / "config.json").read_bytes()
    assert config.isascii()
    assert json.loads(config)["name"] == "modèle"


def test_the_graph_of_a_model_takes_other_weights_and_of_its_own_architecture_alone(tmp_path: Path) -> None:
    network = read_folder(TrainedClassifier, SHIPPED).network
    with torch.no_grad():
        network.reduce.bias += 1
    write_like(packed(network), SHIPPED / "model.onnx", tmp_path / "model.onnx")
    assert torch.equal(stored_weights(tmp_path / "model.onnx")["reduce.bias"], network.reduce.bias)
    network.reduce = torch.nn.Linear(3, 2)
    with pytest.raises(ValueError, match="has another architecture: reduce"):
        write_like(packed(network), SHIPPED / "model.onnx", tmp_path / "model.onnx")
