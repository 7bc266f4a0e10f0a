"""A trained network in one file (weights, sizes, vocabulary, and what else it needs), and how to run it with torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from numpy.typing import NDArray

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.networks.outputs import Run, check_numbers
from beat_the_ai.networks.text import Vocabulary
from beat_the_ai.networks.weights import as_checkpoint, read_checkpoint

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class Checkpoint:
    """A trained network, the vocabulary that it reads with, and the temperature of its logits.

    A subclass names the classes of its network and of the network's `config`. It may add fields of plain values, which
    are stored under their names.
    """

    network: Any
    vocabulary: Vocabulary
    temperature: float = 1.0

    network_class: ClassVar[Any]
    config_class: ClassVar[Any]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return what `save` wrote, ready to answer. Raises `AdversaryError` for any other file."""
        stored = read_checkpoint(path)
        with as_checkpoint(path):
            config = cls.config_class.of_sizes(stored["config"])
            return cls.of_parts(config, stored["weights"], Vocabulary(stored["vocabulary"]), stored)

    @classmethod
    def of_parts(cls, config: Any, weights: Any, vocabulary: Vocabulary, described: Mapping[str, Any]) -> Self:
        """Return the network of that config with those weights, ready to answer; `described` has all other fields."""
        network = cls.network_class(config)
        network.load_state_dict(weights)
        added = {field.name: described[field.name] for field in fields(cls)[len(fields(Checkpoint)) :]}
        return cls(network.eval(), vocabulary, described["temperature"], **added)

    @property
    def added(self) -> dict[str, Any]:
        """The fields that a subclass adds."""
        return {field.name: getattr(self, field.name) for field in fields(self)[len(fields(Checkpoint)) :]}

    @property
    def described(self) -> dict[str, Any]:
        """The facts in the config.json of an exported folder."""
        return {"temperature": round(self.temperature, 4), **self.added}

    def save(self, path: Path) -> None:
        content = {
            "weights": self.network.state_dict(),
            "config": asdict(self.network.config),
            "vocabulary": list(self.vocabulary.pieces),
            **self.added,
            "temperature": self.temperature,
        }
        with replacing(path) as file:
            torch.save(content, file)


def outputs_of(network: Any, device: str = "cpu", *, bfloat16: bool = False) -> Run:
    """Return the network as a function, numpy in, numpy out. Moves the network to the device."""
    network = network.to(device).eval()

    def run(arrays: dict[str, NDArray[Any]]) -> list[NDArray[Any]]:
        inputs = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        with torch.inference_mode(), torch.autocast(device, dtype=torch.bfloat16, enabled=bfloat16):
            outputs = network(**inputs)
        tensors = outputs if isinstance(outputs, tuple) else (outputs,)
        found = [values.float().cpu().numpy() for values in tensors]
        check_numbers(found)
        return found

    return run
