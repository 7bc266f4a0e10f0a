"""The folder that a trained network ships in: `model.onnx`, `vocabulary.txt`, `config.json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from beat_the_ai.networks.onnx_folder import FORMAT, vocabulary_file
from beat_the_ai.networks.packing import stored_weights, write_like
from beat_the_ai.networks.text import Vocabulary

TrainedT = TypeVar("TrainedT")


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


def write_folder(
    config: ExportConfig,
    network: Any,
    vocabulary: Vocabulary,
    described: Mapping[str, Any],
    write_graph: Callable[[Path], None],
) -> Path:
    """Write the folder of a packed network that is one graph (`write_graph`), and return its path."""
    graph = config.out / "model.onnx"
    config.out.mkdir(parents=True, exist_ok=True)
    if config.like is None:
        write_graph(graph)
    else:
        write_like(network, config.like / "model.onnx", graph)
    describe(config, vocabulary, described)
    return config.out


def describe(config: ExportConfig, vocabulary: Vocabulary, described: Mapping[str, Any], indent: int = 2) -> None:
    """Write what lies beside the graphs."""
    vocabulary.save(config.out / "vocabulary.txt")
    content = json.dumps({"format": FORMAT, "name": config.name, **described}, indent=indent, ensure_ascii=False)
    (config.out / "config.json").write_text(f"{content}\n", encoding="utf-8")


def read_folder(
    folder: Path,
    of_weights: Callable[[Mapping[str, Any]], Any],
    trained: Callable[[Any, Vocabulary, Mapping[str, Any]], TrainedT],
) -> TrainedT:
    """Return the network of a folder, to train it on; its weights are those that were stored.

    `of_weights` makes a network of their sizes; dropout, of which they tell nothing, is that of every `train`.
    """
    weights = stored_weights(folder / "model.onnx")
    network = of_weights(weights)
    network.load_state_dict(weights)
    described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return trained(network.eval(), Vocabulary.load(vocabulary_file(folder)), described)
