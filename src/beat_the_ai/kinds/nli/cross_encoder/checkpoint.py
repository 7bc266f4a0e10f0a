"""A trained network in one file: weights, sizes, vocabulary, temperature; and how to run it with torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.kinds.nli.cross_encoder.classifier import Logits
from beat_the_ai.kinds.nli.cross_encoder.features import Array
from beat_the_ai.kinds.nli.cross_encoder.network import Network, NetworkConfig
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.outputs import check_numbers
from beat_the_ai.networks.text import Vocabulary
from beat_the_ai.networks.weights import as_checkpoint, read_checkpoint


@dataclass(frozen=True)
class Trained:
    """A network, what it reads with, the temperature of its logits, and whether it never saw a premise."""

    network: Network
    vocabulary: Vocabulary
    hypothesis_only: bool
    temperature: float = 1.0


def save(path: Path, trained: Trained) -> None:
    content = {
        "weights": trained.network.state_dict(),
        "config": asdict(trained.network.config),
        "vocabulary": list(trained.vocabulary.pieces),
        "hypothesis_only": trained.hypothesis_only,
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
    sizes = dict(stored["config"])
    network = Network(NetworkConfig(**{**sizes, "encoder": EncoderConfig(**sizes["encoder"])}))
    network.load_state_dict(stored["weights"])
    vocabulary = Vocabulary(stored["vocabulary"])
    return Trained(network.eval(), vocabulary, stored["hypothesis_only"], stored["temperature"])


def logits(network: Network, device: str = "cpu", *, bfloat16: bool = False) -> Logits:
    """The engine of a `Classifier`: numpy in, numpy out. Moves the network to the device."""
    network = network.to(device).eval()

    def run(arrays: dict[str, Array]) -> NDArray[np.float32]:
        inputs = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        with torch.inference_mode(), torch.autocast(device, dtype=torch.bfloat16, enabled=bfloat16):
            found: NDArray[np.float32] = network(**inputs).float().cpu().numpy()
        check_numbers([found])
        return found

    return run
