"""From a checkpoint to the folder that ships (`model.onnx`, `vocabulary.txt`, `config.json`), and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
from onnxscript import opset20 as operators

from beat_the_ai.kinds.reading_comprehension.bidaf import checkpoint, features
from beat_the_ai.kinds.reading_comprehension.bidaf.checkpoint import Trained
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network, NetworkConfig
from beat_the_ai.kinds.reading_comprehension.writing import NAME
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.export import ExportConfig, read_folder, write_folder
from beat_the_ai.networks.packing import packed, write_graph
from beat_the_ai.networks.text import Vocabulary

OUTPUTS = ("start", "end")


def export(config: ExportConfig) -> Path:
    """Write the folder and return its path. Needs the packages `onnx` and, without `like`, `onnxscript`."""
    trained = checkpoint.load(config.checkpoint)
    network = packed(trained.network)
    described = {"task": NAME, "temperature": round(trained.temperature, 4)}
    to_graph = partial(_write_graph, network, trained.vocabulary)
    return write_folder(config, network, trained.vocabulary, described, to_graph)


def read(folder: Path) -> Trained:
    """Return the network of a folder that `export` wrote, to train it on."""
    return read_folder(folder, _of_weights, Trained.of)


def _of_weights(weights: Mapping[str, Any]) -> Network:
    return Network(NetworkConfig(EncoderConfig.of_weights(weights), width=len(weights["reduce.bias"])))


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


def _write_graph(network: Network, vocabulary: Vocabulary, path: Path) -> None:
    passages = [features.encode(text, vocabulary) for text in ("A brief example.", "Two of them, in fact: 2.")]
    questions = [features.encode(text, vocabulary) for text in ("How many?", "Why is it?", "Is it so brief, then?")]
    arrays = features.batch(passages, questions, [0, 1, 1])
    features_of_words = {"passage_shape": [2], "match": [2]}
    translations = {torch.ops.beat_the_ai.scan.default: doubling_scan}
    write_graph(network, arrays, features_of_words, OUTPUTS, path, translations)
