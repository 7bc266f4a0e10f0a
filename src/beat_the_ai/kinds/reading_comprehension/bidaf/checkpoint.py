"""A trained reader in one file, and how to run it with torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.reading_comprehension.bidaf.features import Array
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network, NetworkConfig
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import Logits
from beat_the_ai.networks import checkpoint
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True)
class Trained:
    """A network, the vocabulary that it reads with, and the temperature of its scores."""

    network: Network
    vocabulary: Vocabulary
    temperature: float = 1.0

    @classmethod
    def of(cls, network: Network, vocabulary: Vocabulary, described: Mapping[str, Any]) -> Trained:
        """Return it with what a file says of it."""
        return cls(network, vocabulary, described["temperature"])


def save(path: Path, trained: Trained) -> None:
    checkpoint.save(path, trained.network, trained.vocabulary, temperature=trained.temperature)


def load(path: Path) -> Trained:
    """Return what `save` wrote, ready to answer. Raises `AdversaryError` for any other file."""
    return checkpoint.load(path, _of_sizes, Trained.of)


def _of_sizes(sizes: dict[str, Any]) -> Network:
    return Network(NetworkConfig(**{**sizes, "encoder": EncoderConfig(**sizes["encoder"])}))


def logits(network: Network, device: str = "cpu", bfloat16: bool = False) -> Logits:
    """Return the engine of a `Reader`. Moves the network to the device."""
    outputs = checkpoint.outputs_of(network, device, bfloat16=bfloat16)

    def run(arrays: dict[str, Array]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        start, end = outputs(arrays)
        return start, end

    return run
