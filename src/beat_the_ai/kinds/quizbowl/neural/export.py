"""From a checkpoint to the folder that ships, and back.

It has `model.onnx`, `saliency.onnx` (what each piece said, from what the model read), `vocabulary.txt`, `config.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from beat_the_ai.kinds.quizbowl.neural import checkpoint, features
from beat_the_ai.kinds.quizbowl.neural.checkpoint import Trained
from beat_the_ai.kinds.quizbowl.neural.guesser import MODEL_FILE, OUTPUTS, SALIENCY_FILE, SALIENCY_OUTPUTS
from beat_the_ai.kinds.quizbowl.neural.network import Network, NetworkConfig, Saliency
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.networks.onnx_folder import FORMAT, vocabulary_file
from beat_the_ai.networks.packing import packed, stored_weights, write_graph
from beat_the_ai.networks.text import Vocabulary

EXAMPLES = ("A brief example of a question", "Two of them, in fact: this is another, for 10 points")


@dataclass(frozen=True)
class ExportConfig:
    """From which checkpoint to which folder; `name` is what the model calls itself in every attempt's record."""

    checkpoint: Path
    out: Path
    name: str


def export(config: ExportConfig) -> Path:
    """Write the folder and return its path. Needs the packages `onnx` and `onnxscript`."""
    trained = checkpoint.load(config.checkpoint)
    network = packed(trained.network)
    config.out.mkdir(parents=True, exist_ok=True)
    pieces = features.batch([features.encode(text, trained.vocabulary).pieces for text in EXAMPLES])
    write_graph(network, {"pieces": pieces}, {}, OUTPUTS, config.out / MODEL_FILE)
    with torch.no_grad():
        _, vectors, weights = network(torch.from_numpy(pieces[:1]))
    one = {"vectors": vectors.numpy(), "weights": weights.numpy(), "page": np.zeros(1, np.int64)}
    fixed = {"vectors": [0, 2], "weights": [0], "page": [0]}
    write_graph(Saliency(network).eval(), one, fixed, SALIENCY_OUTPUTS, config.out / SALIENCY_FILE)
    trained.vocabulary.save(config.out / "vocabulary.txt")
    described = {
        "format": FORMAT,
        "name": config.name,
        "task": NAME,
        "architecture": trained.network.config.architecture,
        "temperature": round(trained.temperature, 4),
        "pages": list(trained.pages),
    }
    content = json.dumps(described, indent=1, ensure_ascii=False)
    (config.out / "config.json").write_text(f"{content}\n", encoding="utf-8")
    return config.out


def read(folder: Path) -> Trained:
    """The network of a folder that `export` wrote, to train it on; its weights are those that were stored."""
    weights = stored_weights(folder / MODEL_FILE)
    network = Network(NetworkConfig.of_weights(weights))
    network.load_state_dict(weights)
    described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    vocabulary = Vocabulary.load(vocabulary_file(folder))
    return Trained(network.eval(), vocabulary, described["pages"], described["temperature"])
