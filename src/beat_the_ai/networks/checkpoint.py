"""A trained network in one file (weights, sizes, vocabulary, and what else it needs), and how to run it with torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.networks.outputs import check_numbers
from beat_the_ai.networks.text import Vocabulary
from beat_the_ai.networks.weights import as_checkpoint, read_checkpoint

TrainedT = TypeVar("TrainedT")


def save(path: Path, network: Any, vocabulary: Vocabulary, **described: Any) -> None:
    """Write a network with its `config`, the vocabulary that it reads with, and plain data under their names."""
    sizes = asdict(network.config)
    content = {"weights": network.state_dict(), "config": sizes, "vocabulary": list(vocabulary.pieces), **described}
    with replacing(path) as file:
        torch.save(content, file)


def load(
    path: Path,
    of_sizes: Callable[[dict[str, Any]], Any],
    trained: Callable[[Any, Vocabulary, Mapping[str, Any]], TrainedT],
) -> TrainedT:
    """Return what `save` wrote, ready to answer: `trained(network, vocabulary, described)`.

    `of_sizes(config)` makes the network. Raises `AdversaryError` for any other file.
    """
    stored = read_checkpoint(path)
    with as_checkpoint(path):
        network = of_sizes(dict(stored["config"]))
        network.load_state_dict(stored["weights"])
        return trained(network.eval(), Vocabulary(stored["vocabulary"]), stored)


def outputs_of(
    network: Any, device: str, *, bfloat16: bool
) -> Callable[[Mapping[str, NDArray[Any]]], list[NDArray[np.float32]]]:
    """Return the network as a function, numpy in, numpy out. Moves the network to the device."""
    network = network.to(device).eval()

    def run(arrays: Mapping[str, NDArray[Any]]) -> list[NDArray[np.float32]]:
        inputs = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        with torch.inference_mode(), torch.autocast(device, dtype=torch.bfloat16, enabled=bfloat16):
            outputs = network(**inputs)
        tensors = outputs if isinstance(outputs, tuple) else (outputs,)
        found = [values.float().cpu().numpy() for values in tensors]
        check_numbers(found)
        return found

    return run
