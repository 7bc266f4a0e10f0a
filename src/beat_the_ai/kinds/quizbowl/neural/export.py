"""From a checkpoint to the folder that ships, and back.

It has `model.onnx`, `saliency.onnx` (what each piece said, from what the model read), `vocabulary.txt`, `config.json`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from beat_the_ai.kinds.quizbowl.neural import checkpoint, features
from beat_the_ai.kinds.quizbowl.neural.checkpoint import Trained
from beat_the_ai.kinds.quizbowl.neural.guesser import MODEL_FILE, OUTPUTS, SALIENCY_FILE, SALIENCY_OUTPUTS
from beat_the_ai.kinds.quizbowl.neural.network import Network, NetworkConfig, Saliency
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.networks.export import ExportConfig, describe, read_folder
from beat_the_ai.networks.packing import packed, write_graph

EXAMPLES = ("A brief example of a question", "Two of them, in fact: this is another, for 10 points")


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
    described = {
        "task": NAME,
        "architecture": trained.network.config.architecture,
        "temperature": round(trained.temperature, 4),
        "pages": list(trained.pages),
    }
    describe(config, trained.vocabulary, described, indent=1)
    return config.out


def read(folder: Path) -> Trained:
    """Return the network of a folder that `export` wrote, to train it on."""
    return read_folder(folder, lambda weights: Network(NetworkConfig.of_weights(weights)), Trained.of)
