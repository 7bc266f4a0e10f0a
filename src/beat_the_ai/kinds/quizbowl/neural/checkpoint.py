"""A trained guesser in one file: weights, sizes, vocabulary, pages, temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.kinds.quizbowl.neural.network import Network, NetworkConfig
from beat_the_ai.networks.text import Vocabulary
from beat_the_ai.networks.weights import as_checkpoint, read_checkpoint


@dataclass(frozen=True)
class Trained:
    """A network, what it reads with, the pages that its logits are for, and their temperature."""

    network: Network
    vocabulary: Vocabulary
    pages: Sequence[str]
    temperature: float = 1.0


def save(path: Path, trained: Trained) -> None:
    content = {
        "weights": trained.network.state_dict(),
        "config": asdict(trained.network.config),
        "vocabulary": list(trained.vocabulary.pieces),
        "pages": list(trained.pages),
        "temperature": trained.temperature,
    }
    with replacing(path) as file:
        torch.save(content, file)


def load(path: Path) -> Trained:
    """Return what `save` wrote, ready to answer. Raises `AdversaryError` for any other file."""
    stored = read_checkpoint(path)
    with as_checkpoint(path):
        return _trained(stored)


def _trained(stored: dict[str, Any]) -> Trained:
    network = Network(NetworkConfig(**stored["config"]))
    network.load_state_dict(stored["weights"])
    return Trained(network.eval(), Vocabulary(stored["vocabulary"]), stored["pages"], stored["temperature"])
