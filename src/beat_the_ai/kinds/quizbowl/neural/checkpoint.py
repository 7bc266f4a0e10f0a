"""A trained guesser in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.kinds.quizbowl.neural.network import Network, NetworkConfig
from beat_the_ai.networks import checkpoint
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True)
class Trained:
    """A network, what it reads with, the pages that its logits are for, and their temperature."""

    network: Network
    vocabulary: Vocabulary
    pages: Sequence[str]
    temperature: float = 1.0

    @classmethod
    def of(cls, network: Network, vocabulary: Vocabulary, described: Mapping[str, Any]) -> Trained:
        """Return it with what a file says of it."""
        return cls(network, vocabulary, described["pages"], described["temperature"])


def save(path: Path, trained: Trained) -> None:
    described = {"pages": list(trained.pages), "temperature": trained.temperature}
    checkpoint.save(path, trained.network, trained.vocabulary, **described)


def load(path: Path) -> Trained:
    """Return what `save` wrote, ready to answer. Raises `AdversaryError` for any other file."""
    return checkpoint.load(path, lambda sizes: Network(NetworkConfig(**sizes)), Trained.of)
