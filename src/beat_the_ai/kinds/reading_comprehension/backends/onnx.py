"""Models that ship with the project, run by onnxruntime on the CPU: reading comprehension in milliseconds, no torch.

A source is the name of a shipped model (`bidaf-small`) or a folder that `bidaf.export` wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.kinds.reading_comprehension.bidaf.features import probe
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import Reader
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query
from beat_the_ai.networks import onnx_folder

SHIPPED = Path(__file__).resolve().parents[1] / "weights"


def load(source: str, options: LoadOptions) -> OnnxReader:
    """Load a shipped model by name, or the model in a folder."""
    exported = onnx_folder.load(source, options, SHIPPED, NAME, ("start", "end"), probe, helpers=1)
    return OnnxReader(exported.identity, Reader(exported.vocabulary, exported.run, exported.config["temperature"]))


@dataclass(frozen=True)
class OnnxReader:
    """A loaded model."""

    query_type: ClassVar[type[Query]] = Query

    identity: ModelIdentity
    reader: Reader

    def stream(self) -> OnnxReader:
        """The same: it keeps nothing between two queries, and onnxruntime runs a session for many threads at once."""
        return self

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return self.reader.predict(queries)
