"""From a checkpoint to the folder that ships (`model.onnx`, `vocabulary.txt`, `config.json`), and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from beat_the_ai.kinds.nli.cross_encoder import checkpoint, features
from beat_the_ai.kinds.nli.cross_encoder.checkpoint import Trained
from beat_the_ai.kinds.nli.cross_encoder.network import Network, NetworkConfig
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.onnx_folder import FORMAT, vocabulary_file
from beat_the_ai.networks.packing import packed, stored_weights, write_graph, write_like
from beat_the_ai.networks.text import Vocabulary

OUTPUTS = ("logits",)


@dataclass(frozen=True)
class ExportConfig:
    """From which checkpoint to which folder; `name` is what the model calls itself in every attempt's record.

    `like` is the folder of a model of the same architecture, such as the one that training went on from: its graph is
    written again, with other weights.
    """

    checkpoint: Path
    out: Path
    name: str
    like: Path | None = None


def export(config: ExportConfig) -> Path:
    """Write the folder and return its path. Needs the packages `onnx` and, without `like`, `onnxscript`."""
    trained = checkpoint.load(config.checkpoint)
    network, graph = packed(trained.network), config.out / "model.onnx"
    config.out.mkdir(parents=True, exist_ok=True)
    if config.like is None:
        write_graph(network, _example(trained.vocabulary), {"match": [2]}, OUTPUTS, graph)
    else:
        write_like(network, config.like / "model.onnx", graph)
    trained.vocabulary.save(config.out / "vocabulary.txt")
    described = {
        "format": FORMAT,
        "name": config.name,
        "task": "nli",
        "temperature": round(trained.temperature, 4),
        "hypothesis_only": trained.hypothesis_only,
    }
    (config.out / "config.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
    return config.out


def _example(vocabulary: Vocabulary) -> Mapping[str, NDArray[Any]]:
    premises, hypotheses = ["A brief example.", "Two of them, in fact: 2."], ["It is brief.", "There are three."]
    first, second = ([features.encode(text, vocabulary) for text in texts] for texts in (premises, hypotheses))
    return features.batch(first, second, vocabulary)


def read(folder: Path) -> Trained:
    """The network of a folder that `export` wrote, to train it on; its weights are those that were stored.

    Sizes are those of the weights; dropout, of which they tell nothing, is that of every `train`.
    """
    weights = stored_weights(folder / "model.onnx")
    network = Network(NetworkConfig(EncoderConfig.of_weights(weights), width=len(weights["reduce.bias"])))
    network.load_state_dict(weights)
    described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    vocabulary = Vocabulary.load(vocabulary_file(folder))
    return Trained(network.eval(), vocabulary, described["hypothesis_only"], described["temperature"])
