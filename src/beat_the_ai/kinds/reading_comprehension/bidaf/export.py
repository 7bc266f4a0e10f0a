"""From a checkpoint to the folder that ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from onnxscript import opset20 as operators

from beat_the_ai.kinds.reading_comprehension.bidaf import features
from beat_the_ai.kinds.reading_comprehension.bidaf.features import EncodedText
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network, TrainedReader
from beat_the_ai.kinds.reading_comprehension.writing import NAME
from beat_the_ai.networks.export import write_folder
from beat_the_ai.networks.packing import write_graph

OUTPUTS = ("start", "end")


def export(weights: Path, folder: Path, like: Path | None = None) -> Path:
    """Write the folder of a checkpoint as `write_folder` does, and return its path."""
    trained = TrainedReader.load(weights)

    def encoded(*texts: str) -> list[EncodedText]:
        return [features.encode(text, trained.vocabulary) for text in texts]

    passages = encoded("A brief example.", "Two of them, in fact: 2.")
    arrays = features.batch(passages, encoded("How many?", "Why is it?", "Is it so brief, then?"), [0, 1, 1])
    features_of_words = {"passage_shape": [2], "match": [2]}
    translations = {torch.ops.beat_the_ai.scan.default: doubling_scan}

    def write(network: Network, folder: Path) -> None:
        write_graph(network, arrays, features_of_words, OUTPUTS, folder / "model.onnx", translations)

    return write_folder(trained, folder, NAME, write, like)


def doubling_scan(forget: Any, addend: Any) -> Any:
    """`recurrence.scan` in ONNX operators, for any T that `features` allows: log2(T) steps over the whole text.

    Hillis and Steele 1986: after a step of width w, row t holds the recurrence over its last 2w rows.
    """
    width = 1
    while width < features.MAX_WORDS:
        addend = operators.Add(addend, operators.Mul(forget, _shifted(addend, width)))
        forget = operators.Mul(forget, _shifted(forget, width))
        width *= 2
    return addend


def _shifted(x: Any, width: int) -> Any:
    """x (T, B, H) moved down by `width` rows, zeros above."""
    padded = operators.Pad(x, operators.Constant(value_ints=[width, 0, 0, 0, 0, 0]))
    top, rows = operators.Constant(value_ints=[0]), operators.Shape(x, start=0, end=1)
    return operators.Slice(padded, top, rows, top)
