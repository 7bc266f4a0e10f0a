"""From a checkpoint to the folder that ships.

It also has `saliency.onnx`: what each piece said, from what the model read.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from beat_the_ai.kinds.quizbowl.neural import features
from beat_the_ai.kinds.quizbowl.neural.guesser import MODEL_FILE, OUTPUTS, SALIENCY_FILE, SALIENCY_OUTPUTS
from beat_the_ai.kinds.quizbowl.neural.network import Network, Saliency, TrainedGuesser
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.networks.export import write_folder
from beat_the_ai.networks.packing import write_graph

EXAMPLES = ("A brief example of a question", "Two of them, in fact: this is another, for 10 points")


def export(weights: Path, folder: Path) -> Path:
    """Write the folder of a checkpoint as `write_folder` does, and return its path."""
    trained = TrainedGuesser.load(weights)
    pieces = features.batch([features.encode(text, trained.vocabulary).pieces for text in EXAMPLES])

    def write(network: Network, folder: Path) -> None:
        write_graph(network, {"pieces": pieces}, {}, OUTPUTS, folder / MODEL_FILE)
        with torch.no_grad():
            _, vectors, weights = network(torch.from_numpy(pieces[:1]))
        one = {"vectors": vectors.numpy(), "weights": weights.numpy(), "page": np.zeros(1, np.int64)}
        fixed = {"vectors": [0, 2], "weights": [0], "page": [0]}
        write_graph(Saliency(network).eval(), one, fixed, SALIENCY_OUTPUTS, folder / SALIENCY_FILE)

    return write_folder(trained, folder, NAME, write, indent=1, ensure_ascii=False)
