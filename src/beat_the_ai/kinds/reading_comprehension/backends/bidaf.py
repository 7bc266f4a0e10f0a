"""A checkpoint of our own training, run by torch on the CPU or a GPU: before it is exported."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import torch

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.reading_comprehension.bidaf.network import TrainedReader
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import Reader
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query
from beat_the_ai.networks.checkpoint import outputs_of
from beat_the_ai.networks.device_memory import check_fits
from beat_the_ai.networks.weights import check_weights

DEVICES = ("cpu", "cuda")
PRECISIONS = ("fp32", "bf16")


def load(source: str, options: LoadOptions) -> TorchReader:
    """Load the checkpoint file `source`."""
    precision = options.precision or "fp32"
    if options.device not in DEVICES:
        raise InvalidInput("device", f"{options.device!r} is no device. Allowed: {', '.join(DEVICES)}.")
    if precision not in PRECISIONS:
        raise InvalidInput("precision", f"{precision!r} is not available. Allowed: {', '.join(PRECISIONS)}.")
    path = Path(source)
    if not path.is_file():
        raise AdversaryError(f"{path.name!r} is no checkpoint: there is no such file.")
    if options.device == "cpu":
        torch.set_num_threads(options.threads)
    trained = TrainedReader.load(path)
    check_weights(path.name, trained.network.named_parameters())
    if options.device == "cuda":
        check_fits(path.stem, trained.network, options.memory_gib)
    identity = ModelIdentity(path.stem, NAME, hashlib.sha256(path.read_bytes()).hexdigest(), precision)
    run = outputs_of(trained.network, options.device, bfloat16=precision == "bf16")
    return TorchReader(identity, Reader(trained.vocabulary, run, trained.temperature))


@dataclass(frozen=True)
class TorchReader:
    """A loaded checkpoint."""

    query_type: ClassVar[type[Query]] = Query

    identity: ModelIdentity
    reader: Reader

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return self.reader.predict(queries)
