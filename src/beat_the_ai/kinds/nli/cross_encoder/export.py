"""From a checkpoint to the folder that ships (`model.onnx`, `vocabulary.txt`, `config.json`), and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from beat_the_ai.kinds.nli.cross_encoder import checkpoint, features
from beat_the_ai.kinds.nli.cross_encoder.checkpoint import Trained
from beat_the_ai.kinds.nli.cross_encoder.network import Network, NetworkConfig
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.export import ExportConfig, read_folder, write_folder
from beat_the_ai.networks.packing import packed, write_graph
from beat_the_ai.networks.text import Vocabulary

OUTPUTS = ("logits",)


def export(config: ExportConfig) -> Path:
    """Write the folder and return its path. Needs the packages `onnx` and, without `like`, `onnxscript`."""
    trained = checkpoint.load(config.checkpoint)
    network, example = packed(trained.network), _example(trained.vocabulary)
    described = {
        "task": "nli",
        "temperature": round(trained.temperature, 4),
        "hypothesis_only": trained.hypothesis_only,
    }
    to_graph = partial(write_graph, network, example, {"match": [2]}, OUTPUTS)
    return write_folder(config, network, trained.vocabulary, described, to_graph)


def _example(vocabulary: Vocabulary) -> Mapping[str, NDArray[Any]]:
    premises, hypotheses = ["A brief example.", "Two of them, in fact: 2."], ["It is brief.", "There are three."]
    first, second = ([features.encode(text, vocabulary) for text in texts] for texts in (premises, hypotheses))
    return features.batch(first, second, vocabulary)


def read(folder: Path) -> Trained:
    """Return the network of a folder that `export` wrote, to train it on."""
    return read_folder(folder, _of_weights, Trained.of)


def _of_weights(weights: Mapping[str, Any]) -> Network:
    return Network(NetworkConfig(EncoderConfig.of_weights(weights), width=len(weights["reduce.bias"])))
