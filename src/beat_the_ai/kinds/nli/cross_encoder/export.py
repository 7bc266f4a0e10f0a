"""From a checkpoint to the folder that ships."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.kinds.nli.cross_encoder import features
from beat_the_ai.kinds.nli.cross_encoder.features import EncodedText
from beat_the_ai.kinds.nli.cross_encoder.network import Network, TrainedClassifier
from beat_the_ai.kinds.nli.writing import NAME
from beat_the_ai.networks.export import write_folder
from beat_the_ai.networks.packing import write_graph

OUTPUTS = ("logits",)


def export(weights: Path, folder: Path, like: Path | None = None) -> Path:
    """Write the folder of a checkpoint as `write_folder` does, and return its path."""
    trained = TrainedClassifier.load(weights)

    def encoded(*texts: str) -> list[EncodedText]:
        return [features.encode(text, trained.vocabulary) for text in texts]

    premises = encoded("A brief example.", "Two of them, in fact: 2.")
    arrays = features.batch(premises, encoded("It is brief.", "There are three."), trained.vocabulary)

    def write(network: Network, folder: Path) -> None:
        write_graph(network, arrays, {"match": [2]}, OUTPUTS, folder / "model.onnx")

    return write_folder(trained, folder, NAME, write, like)
