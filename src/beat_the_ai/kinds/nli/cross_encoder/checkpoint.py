"""A trained classifier of pairs in one file, and how to run it with torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.kinds.nli.cross_encoder.classifier import Logits
from beat_the_ai.kinds.nli.cross_encoder.network import Network, NetworkConfig
from beat_the_ai.networks import checkpoint
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True)
class Trained:
    """A network, what it reads with, the temperature of its logits, and whether it never saw a premise."""

    network: Network
    vocabulary: Vocabulary
    hypothesis_only: bool
    temperature: float = 1.0

    @classmethod
    def of(cls, network: Network, vocabulary: Vocabulary, described: Mapping[str, Any]) -> Trained:
        """Return it with what a file says of it."""
        return cls(network, vocabulary, described["hypothesis_only"], described["temperature"])


def save(path: Path, trained: Trained) -> None:
    described = {"hypothesis_only": trained.hypothesis_only, "temperature": trained.temperature}
    checkpoint.save(path, trained.network, trained.vocabulary, **described)


def load(path: Path) -> Trained:
    """Return what `save` wrote, ready to answer. Raises `AdversaryError` for any other file."""
    return checkpoint.load(path, _of_sizes, Trained.of)


def _of_sizes(sizes: dict[str, Any]) -> Network:
    return Network(NetworkConfig(**{**sizes, "encoder": EncoderConfig(**sizes["encoder"])}))


def logits(network: Network, device: str = "cpu", *, bfloat16: bool = False) -> Logits:
    """Return the engine of a `Classifier`. Moves the network to the device."""
    run = checkpoint.outputs_of(network, device, bfloat16=bfloat16)
    return lambda arrays: run(arrays)[0]
