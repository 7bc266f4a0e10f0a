"""The folder that a trained network ships in: `model.onnx`, `vocabulary.txt`, `config.json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from beat_the_ai.networks.checkpoint import Checkpoint
from beat_the_ai.networks.onnx_folder import FORMAT, vocabulary_file
from beat_the_ai.networks.packing import packed, stored_weights, write_like
from beat_the_ai.networks.text import Vocabulary

CheckpointT = TypeVar("CheckpointT", bound=Checkpoint)


def write_folder(
    trained: Checkpoint,
    folder: Path,
    task: str,
    write_graphs: Callable[[Any, Path], None],
    like: Path | None = None,
    **layout: Any,
) -> Path:
    """Write the folder of a model, which has the folder's name, and return its path.

    `write_graphs` writes the packed network into the folder. `like` is the folder of a model of the same architecture,
    such as the one that training went on from: its graph is written again, with other weights. `layout` is that of
    config.json. Needs the packages `onnx` and, without `like`, `onnxscript`.
    """
    network = packed(trained.network)
    folder.mkdir(parents=True, exist_ok=True)
    if like is None:
        write_graphs(network, folder)
    else:
        write_like(network, like / "model.onnx", folder / "model.onnx")
    trained.vocabulary.save(folder / "vocabulary.txt")
    described = {"format": FORMAT, "name": folder.name, "task": task, **trained.described}
    content = json.dumps(described, **{"indent": 2, **layout})
    (folder / "config.json").write_text(f"{content}\n", encoding="utf-8")
    return folder


def read_folder(kind: type[CheckpointT], folder: Path) -> CheckpointT:
    """Return the network of a folder, to train it on; its weights are those that were stored.

    Its sizes are those of the weights; dropout, of which they tell nothing, is that of every `train`.
    """
    weights = stored_weights(folder / "model.onnx")
    described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return kind.of_parts(
        kind.config_class.of_weights(weights), weights, Vocabulary.load(vocabulary_file(folder)), described
    )
